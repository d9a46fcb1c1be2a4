import type { PoolsClient } from '../../../client/pools-client.ts'
import { MAX_BODY_BYTES } from '../../../contract/bounds.ts'
import type { Round } from '../../../contract/rounds.ts'
import type { Tournament } from '../../../contract/tournaments.ts'
import type { DifferenceWords } from '../../../pool/difference-words.ts'
import { slotWords } from '../../../pool/round-fields.ts'
import { slotLabel } from '../../../pool/slots.ts'
import { CliError } from '../../program.ts'
import { hasCode } from '../errors.ts'
import { wordLines } from '../pack-text.ts'
import { plain, progressBar } from '../screen.ts'
import type { CliContext } from '../user-command.ts'
import { compareRounds, draftOf, type RoundDraft } from './round-text.ts'

/** A round as it is to be. */
export type RoundPlan = {
  /** null: it is new. */
  readonly before: Round | null
  readonly after: RoundDraft
  /** Of a round that is there; none if it stays. */
  readonly changes: readonly DifferenceWords[]
}

/** What is to become of the rounds of a tournament, which was read with this ETag. */
export type SheetPlan = {
  readonly tournament: Tournament
  readonly etag: string
  /** All rounds in their order. */
  readonly rounds: readonly RoundPlan[]
  readonly removed: readonly Round[]
}

export const planRound = (before: Round | null, after: RoundDraft): RoundPlan => ({
  before,
  after,
  changes: before === null ? [] : compareRounds(before, after),
})

const isChanged = ({ before, changes }: RoundPlan): boolean => before === null || changes.length > 0

/** Whether the rounds that are there come in another order, or a new one before one of them. */
export function isReordered({ tournament, rounds, removed }: SheetPlan): boolean {
  const gone = new Set(removed.map(({ id }) => id))
  const now = tournament.rounds.flatMap(({ id }) => (gone.has(id) ? [] : [id]))
  const next = rounds.map(({ before }) => before?.id ?? null)
  return now.some((id, at) => next[at] !== id)
}

export const changesAnything = (plan: SheetPlan): boolean =>
  plan.rounds.some(isChanged) || plan.removed.length > 0 || isReordered(plan)

/** The plan for people: new rounds with their slots, changes of others, and the order. */
export function sheetText(plan: SheetPlan, { screen }: CliContext): string {
  const { bold, added, removed } = screen.paint
  const parts = plan.rounds.filter(isChanged).map(({ before, after, changes }) => {
    const head = `${bold(plain(after.name))}${before === null ? '  new' : ''}\n`
    if (before !== null) return head + wordLines(changes, screen.paint)
    const slots = after.slots.map(
      (slot) => `${plain(slotLabel(slot))} → ${added(plain(slotWords(slot)))}\n`,
    )
    return head + slots.join('')
  })
  const gone = plan.removed.map(({ name }) => `${bold(plain(name))}  ${removed('removed')}\n`)
  const names = plan.rounds.map(({ after }) => plain(after.name)).join(', ')
  const order = isReordered(plan) ? [`Order of rounds: ${names}\n`] : []
  return [...parts, ...gone, ...order].join('\n')
}

/**
 * Saves what a plan changes, in one request if it is not too large for one; then all of it or nothing is saved.
 * Otherwise round by round; after a failure, what was saved and what was not is noted. Nothing that has changed
 * since the tournament was read is overwritten.
 */
export async function saveRounds(
  client: PoolsClient,
  plan: SheetPlan,
  context: CliContext,
): Promise<void> {
  if (!changesAnything(plan)) return
  const { slug } = plan.tournament
  const body = plan.rounds.map(({ before, after }) => ({
    ...(before !== null && { id: before.id }),
    ...draftOf(after),
  }))
  if (Buffer.byteLength(JSON.stringify({ rounds: body })) > MAX_BODY_BYTES) {
    return saveOneByOne(client, plan, context)
  }
  await client.replaceRounds(slug, body, { ifMatch: plan.etag }).catch((error: unknown) => {
    throw hasCode(error, 'precondition_failed') ? changedMeanwhile('the tournament') : error
  })
}

const changedMeanwhile = (what: string): CliError =>
  new CliError(
    `${what} was changed by somebody else at the same moment, so it was not sent; run the command again`,
  )

type Send = { readonly name: string; readonly send: () => Promise<unknown> }

async function saveOneByOne(client: PoolsClient, plan: SheetPlan, context: CliContext) {
  const { screen } = context
  const { slug } = plan.tournament
  const sends: Send[] = [
    ...plan.removed.map((round) => ({
      name: round.name,
      send: async () => client.deleteRound(slug, round.id, { ifMatch: await tagOf(round) }),
    })),
    ...plan.rounds.filter(isChanged).map(({ before, after }) => ({
      name: after.name,
      send: async () => {
        const input = draftOf(after)
        return before === null
          ? client.createRound(slug, input)
          : client.replaceRound(slug, before.id, input, { ifMatch: await tagOf(before) })
      },
    })),
  ]
  for (const [at, { name, send }] of sends.entries()) {
    screen.status(progressBar(at, sends.length, plain(name)))
    try {
      await send()
    } catch (error) {
      screen.clear()
      const [sent, left] = [sends.slice(0, at), sends.slice(at)].map((part) =>
        part.map((each) => plain(each.name)).join(', '),
      )
      screen.note(`Sent: ${sent || 'nothing'}; not sent: ${left}.`)
      throw hasCode(error, 'precondition_failed') ? changedMeanwhile(plain(name)) : error
    }
  }
  screen.clear()
  if (isReordered(plan)) {
    throw new CliError(
      'the order of rounds was not sent: all of them together are too large for one request; arrange them on the site',
      'partial',
    )
  }

  /** The ETag of a round that is still as it was read. */
  async function tagOf(round: Round): Promise<string> {
    const { data, etag } = await client.getRound(slug, round.id).withResponse()
    if (data.updatedAt !== round.updatedAt) throw changedMeanwhile(plain(round.name))
    return etag ?? ''
  }
}
