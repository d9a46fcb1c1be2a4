import { link, type Pick, type PoolShape, type Round, slot } from './made-rounds.ts'

/** The rounds as parts of a text, each below its heading. */
export function parts(
  rounds: readonly Round[],
  heading: (name: string) => string,
  write: (round: Round) => readonly string[],
): string {
  return rounds
    .flatMap((round) => [
      ...(round.name === null ? [] : [heading(round.name), '']),
      ...write(round),
      '',
    ])
    .join('\n')
}

const wideSlot = (pick: Pick): string =>
  slot(pick).replaceAll(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0))

/** A line for each beatmap, which its label begins. */
const lineForms: readonly ((pick: Pick) => string)[] = [
  (pick) => `${slot(pick)} ${pick.beatmapId}`,
  (pick) => `${slot(pick)}: ${link(pick.beatmapId)}`,
  (pick) => `[${slot(pick)}] ${pick.beatmapId}`,
  (pick) => `${slot(pick)} - ${link(pick.beatmapId)}`,
  (pick) => `${slot(pick)} | ${pick.beatmapId}`,
]

const labelLines = lineForms.map((form, at): PoolShape => ({
  id: `label lines, form ${at + 1}`,
  hasRounds: true,
  hasCustom: true,
  write: (rounds) =>
    parts(
      rounds,
      (heading) => heading,
      ({ picks }) => picks.map(form),
    ),
}))

/** Lists, posts and blocks of lines. */
export const lineShapes: readonly PoolShape[] = [
  ...labelLines,
  {
    id: 'commands of a bot',
    hasCustom: true,
    write: ([round], turn) =>
      round!.picks
        .map((pick) => {
          const { code, index, beatmapId } = pick
          const at = turn % 2 === 0 ? `slot:${slot(pick)}` : `mod:${code} index:${index}`
          const map = turn % 3 === 0 ? `map:${link(beatmapId)}` : `beatmap_id: ${beatmapId}`
          return `/${turn % 4 < 2 ? 'pool add' : 'addmap'} ${at} ${map} comment:ok`
        })
        .join('\n'),
  },
  {
    id: 'full-width labels',
    hasRounds: true,
    write: (rounds, turn) =>
      parts(
        rounds,
        (heading) => heading,
        ({ picks }) =>
          picks.map((pick) =>
            turn % 2 === 0
              ? `${wideSlot(pick)} ${pick.beatmapId}`
              : `【${slot(pick)}】${pick.beatmapId}`,
          ),
      ),
  },
]
