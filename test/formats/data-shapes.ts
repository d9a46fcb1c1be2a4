import { buckets, type Pick, type PoolShape, type Round, slot } from './made-rounds.ts'

const json = (value: unknown, turn: number): string => JSON.stringify(value, null, turn % 3)
const perRound = (rounds: readonly Round[], of: (round: Round) => unknown): unknown =>
  rounds[0]?.name == null
    ? of(rounds[0]!)
    : Object.fromEntries(rounds.map((round) => [round.name, of(round)]))

/** As Python prints a value: text in single quotes, with what they need escaped. */
function python(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, each]) => `${python(key)}: ${python(each)}`)
      .join(', ')}}`
  if (typeof value !== 'string') return String(value)
  return `'${value
    .replaceAll('\\', '\\\\')
    .replaceAll("'", String.raw`\'`)
    .replaceAll('\t', String.raw`\t`)}'`
}

const facts = ({ artist, title }: Pick) => ({ artist, title })

/** JSON of bots and overlays, and Python. */
export const dataShapes: readonly PoolShape[] = [
  {
    id: 'referee bots',
    hasCustom: true,
    hasRounds: true,
    write: (rounds, turn) =>
      json(
        perRound(rounds, ({ picks }) =>
          picks.map((pick) => ({ code: slot(pick), id: pick.beatmapId })),
        ),
        turn,
      ),
  },
  {
    id: 'ids by label',
    hasRounds: true,
    write: (rounds, turn) =>
      json(
        perRound(rounds, ({ picks }) =>
          Object.fromEntries(picks.map((pick) => [slot(pick), pick.beatmapId])),
        ),
        turn,
      ),
  },
  {
    id: 'labels by id',
    hasCustom: true,
    write: ([round], turn) =>
      json(Object.fromEntries(round!.picks.map((pick) => [pick.beatmapId, slot(pick)])), turn),
  },
  {
    id: 'overlay with picks',
    hasCustom: true,
    write: ([round], turn) =>
      json(
        round!.picks.map((pick) => ({
          beatmapId: pick.beatmapId,
          pick: slot(pick),
          modSR: 5.6,
          ...facts(pick),
        })),
        turn,
      ),
  },
  {
    id: 'overlay with mods',
    write: ([round], turn) =>
      json(
        round!.picks.map((pick) => ({
          beatmapId: pick.beatmapId,
          mods: pick.code,
          ...facts(pick),
        })),
        turn,
      ),
  },
  {
    id: 'lists by bucket',
    hasRounds: true,
    write: (rounds, turn) =>
      json(
        perRound(rounds, (round) =>
          Object.fromEntries(
            buckets(round).map(([code, picks]) => [code, picks.map(({ beatmapId }) => beatmapId)]),
          ),
        ),
        turn,
      ),
  },
  {
    id: 'list of rounds',
    hasRounds: true,
    hasCustom: true,
    write: (rounds, turn) =>
      json(
        {
          rounds: rounds.map(({ name: round, picks }) => ({
            name: round ?? '',
            maps: picks.map((pick) => ({ slot: slot(pick), id: pick.beatmapId, ...facts(pick) })),
          })),
        },
        turn,
      ),
  },
  {
    id: 'reply of GraphQL',
    hasRounds: true,
    hasCustom: true,
    write: (rounds, turn) => {
      const lists = (nodes: readonly unknown[]) =>
        turn % 3 === 0
          ? { edges: [], nodes, totalCount: nodes.length }
          : {
              edges: nodes.map((node, at) =>
                turn % 3 === 1 ? { node } : { cursor: `${at}`, node },
              ),
              // What was not asked for may be there without an item.
              ...(turn % 2 === 0 && { nodes: [] }),
              pageInfo: { hasNextPage: false },
            }
      const mapsOf = ({ picks }: Round) =>
        lists(
          picks.map((pick) => ({
            slot: slot(pick),
            beatmap: { id: pick.beatmapId, ...facts(pick), version: 'Extra' },
          })),
        )
      const all =
        rounds[0]!.name === null
          ? { mappool: mapsOf(rounds[0]!) }
          : { rounds: lists(rounds.map((round) => ({ name: round.name, maps: mapsOf(round) }))) }
      return json({ data: { tournament: all } }, turn)
    },
  },
  {
    id: 'Python literal',
    hasCustom: true,
    write: ([round], turn) =>
      (turn % 2 === 0 ? 'pool = ' : '') +
      python(
        round!.picks.map((pick) => ({
          slot: slot(pick),
          beatmap_id: pick.beatmapId,
          ...facts(pick),
        })),
      ),
  },
]
