import { joinSignals, realTime, sleep } from '../../client/time.ts'
import type {
  BeatmapAnswer,
  BeatmapDetails,
  BeatmapLook,
  BeatmapLookReply,
} from '../../contract/beatmaps.ts'
import type { DetailsBySlot, SlotDetails } from '../../formats/tables.ts'
import type { Pool } from '../../pool/pool.ts'
import { slotMods } from '../../pool/slots.ts'
import { networkErrorText, systemCode } from '../system-error.ts'
import type { CliContext } from './user-command.ts'

/** What is known of a pool's beatmaps. */
export type Known = {
  readonly bySlot: DetailsBySlot
  readonly byId: ReadonlyMap<number, BeatmapDetails>
  /** Why not all is known; null when it is, or when the platform has no more to say. */
  readonly gap: string | null
}

/** What the site does not know within this time is left out. */
const LOOK_UP_TIMEOUT_MS = 60_000
const ANSWER_MS = 30_000
const LONGEST_WAIT_S = 15

/**
 * Asks the site once. It answers pages of its own, and programs that say, as this one does, that they
 * ask on its behalf; it is given no key, for what it tells is no secret.
 */
const ask = async (
  site: string,
  look: BeatmapLook,
  signal: AbortSignal,
): Promise<BeatmapLookReply> => {
  const joined = joinSignals([signal])
  const late = setTimeout(() => joined.abort(new Error('no answer came in time')), ANSWER_MS)
  try {
    const response = await fetch(`${site}/session/beatmaps`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: new URL(site).origin },
      body: JSON.stringify(look),
      redirect: 'error',
      signal: joined.signal,
    })
    if (!response.ok) throw new Error(`it answers ${response.status}`)
    return (await response.json()) as BeatmapLookReply
  } finally {
    clearTimeout(late)
    joined.release()
  }
}

const slotDetails = (answer: BeatmapAnswer | undefined): SlotDetails | null =>
  answer?.details === undefined ? null : { details: answer.details, stars: answer.stars ?? null }

/** Looks the beatmaps of a pack up in the site's cache, for as long as it is worth it. */
export const lookUp = async (
  site: string,
  slug: string,
  pool: Pool,
  { signal, screen }: Pick<CliContext, 'signal' | 'screen'>,
): Promise<Known> => {
  const plays = slotMods(pool)
  const beatmaps = pool.slots.map(({ beatmapId }, at) => ({
    id: beatmapId,
    mods: [...(plays[at]?.forced ?? [])],
  }))
  let answers: readonly BeatmapAnswer[] = []
  let gap: string | null = null
  const end = performance.now() + LOOK_UP_TIMEOUT_MS
  for (;;) {
    const known = answers.filter(({ state }) => state !== 'pending').length
    screen.status(`looking beatmaps up: ${known} of ${beatmaps.length}`)
    let wait: number | null = null
    try {
      const reply = await ask(site, { beatmaps, slug }, signal)
      answers = reply.beatmaps
      wait = reply.retryAfter
      gap = wait === null ? null : 'the site is still looking them up; try again in a minute'
    } catch (error) {
      signal.throwIfAborted()
      const reason = networkErrorText(systemCode(error)) ?? (error as Error).message
      gap = `${site} does not answer questions about beatmaps (${reason})`
    }
    const left = end - performance.now()
    if (wait === null || wait * 1000 > left) break
    await sleep(realTime, Math.min(wait, LONGEST_WAIT_S) * 1000, signal)
  }
  screen.clear()
  const found = answers.flatMap((answer, at) => {
    const details = slotDetails(answer)
    return details === null ? [] : [[at, details] as const]
  })
  const byId = new Map(found.map(([, { details }]) => [details.id, details]))
  return { bySlot: new Map(found), byId, gap }
}
