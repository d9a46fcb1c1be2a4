import { realTime, sleep, withTimeout } from '../../client/time.ts'
import type { BeatmapLook, BeatmapLookReply } from '../../contract/beatmaps.ts'
import { MAX_ROUNDS, MAX_SLOTS } from '../../contract/bounds.ts'
import type { Pack } from '../../contract/packs.ts'
import type { Round } from '../../contract/rounds.ts'
import type { LookedUp } from '../../formats/import/evidence.ts'
import type { DetailsBySlot, SlotDetails } from '../../formats/sheet.ts'
import { filledSlots } from '../../pool/round-fields.ts'
import { placeKey, slotMods } from '../../pool/slots.ts'
import type { ServiceName } from '../../contract/services.ts'
import { networkErrorText, systemCode } from '../system-error.ts'
import { count, poolOf } from './pack-text.ts'
import { findSite } from './service.ts'
import type { CliContext } from './user-command.ts'

export type PoolDetails = {
  readonly bySlot: DetailsBySlot
  /** Why some may be missing; null if all are here that the platform has. */
  readonly gap: string | null
}

const LOOK_UP_TIMEOUT_MS = 60_000
const REQUEST_TIMEOUT_MS = 30_000
const MAX_WAIT_S = 15

/** What is looked up: a pack, or a pool that is none. */
type LookupTarget = Parameters<typeof poolOf>[0] & { readonly slug?: Pack['slug'] | undefined }

/** Looks up the beatmaps of a pool in the site's cache until all are known or a timeout of a minute has passed. */
export async function lookUp(
  site: string,
  pool: LookupTarget,
  context: CliContext,
  timeoutMs = LOOK_UP_TIMEOUT_MS,
): Promise<PoolDetails> {
  const { signal, screen } = context
  const plays = slotMods(poolOf(pool))
  const beatmaps = pool.slots.map(({ beatmapId: id }, at) => {
    return { id, mods: [...(plays[at]?.forced ?? [])] }
  })
  let answers: BeatmapLookReply['beatmaps'] = []
  let gap: string | null = null
  const end = performance.now() + timeoutMs
  for (;;) {
    const known = answers.filter(({ state }) => state !== 'pending').length
    screen.status(`looking beatmaps up: ${known} of ${beatmaps.length}`)
    let wait: number | null = null
    try {
      const reply = await ask(
        site,
        { beatmaps, ...(pool.slug !== undefined && { slug: pool.slug }) },
        signal,
      )
      answers = reply.beatmaps
      wait = reply.retryAfter
      gap = wait === null ? null : 'the site is still looking them up; try again in a minute'
    } catch (error) {
      signal.throwIfAborted()
      gap = silence(site, error)
    }
    if (wait === null || wait * 1000 > end - performance.now()) break
    await sleep(realTime, Math.min(wait, MAX_WAIT_S) * 1000, signal)
  }
  screen.clear()
  const found = answers.flatMap(({ details, stars = null, noRating }, at) =>
    details === undefined ? [] : [[at, { details, stars, noRating }] as const],
  )
  return { bySlot: new Map(found), gap }
}

/** What is known of the slots of a round, by `placeKey`. */
export type KnownSlots = ReadonlyMap<string, SlotDetails>

/**
 * Asks once for each round, without waiting for what the site does not know yet, until it does not answer.
 *
 * @returns what is known of each round, in their order.
 */
export async function lookUpRounds(
  site: string,
  rounds: readonly Round[],
  context: CliContext,
): Promise<{ readonly known: readonly KnownSlots[]; readonly gap: string | null }> {
  const known: KnownSlots[] = []
  let gap: string | null = null
  let isSilent = false
  for (const { name, slots: all, buckets, packSlug } of rounds) {
    const slots = filledSlots(all)
    if (isSilent || slots.length === 0) {
      known.push(new Map())
      continue
    }
    const pool = { name, slots, buckets: buckets ?? null, slug: packSlug }
    const found = await lookUp(site, pool, context, 0)
    gap ??= found.gap
    isSilent = found.gap !== null && found.bySlot.size === 0
    known.push(
      new Map([...found.bySlot].map(([at, details]) => [placeKey(slots[at]!), details] as const)),
    )
  }
  return { known, gap }
}

const IMPORT_TIMEOUT_MS = 10_000
/** As many as the rounds of a tournament can hold; a file with more of them is none. */
const MOST_IDS = MAX_ROUNDS * MAX_SLOTS

/**
 * What the site of the service knows of beatmaps that are to be imported, within ten seconds (D-90). Never fails:
 * `gap` says of how many nothing is known, and why; null if of none.
 */
export async function lookUpIds(
  service: ServiceName,
  ids: readonly number[],
  context: CliContext,
): Promise<{ readonly evidence: ReadonlyMap<number, LookedUp>; readonly gap: string | null }> {
  const evidence = new Map<number, LookedUp>()
  if (ids.length === 0) return { evidence, gap: null }
  const reason = await learn(service, ids.slice(0, MOST_IDS), evidence, context)
  context.screen.clear()
  const left = ids.length - evidence.size
  const why = reason ?? `an import looks ${MOST_IDS} up at most`
  const some =
    left === ids.length
      ? 'No beatmap was looked up'
      : `${left} of ${count(ids.length, 'beatmap')} ${left === 1 ? 'was' : 'were'} not looked up`
  return { evidence, gap: left === 0 ? null : `${some}: ${why}.` }
}

/** Adds what the site knows to `evidence`; returns why it is not all, if that is known. */
async function learn(
  service: ServiceName,
  ids: readonly number[],
  evidence: Map<number, LookedUp>,
  context: CliContext,
): Promise<string | null> {
  const { signal, screen } = context
  const end = performance.now() + IMPORT_TIMEOUT_MS
  const leftMs = (): number => end - performance.now()
  const site = await findSite(context, service).catch(() => null)
  if (site === null) return 'no service is known; mapcrate login names one'
  for (;;) {
    const waits: number[] = []
    const open = ids.filter((id) => !evidence.has(id))
    for (let at = 0; at < open.length && leftMs() > 0; at += MAX_SLOTS) {
      screen.status(`looking beatmaps up: ${evidence.size} of ${ids.length}`)
      const beatmaps = open.slice(at, at + MAX_SLOTS).map((id) => ({ id, mods: [] }))
      try {
        const reply = await ask(site, { beatmaps }, signal, leftMs())
        for (const { id, state, details } of reply.beatmaps) {
          if (state === 'gone') evidence.set(id, 'gone')
          if (details) evidence.set(id, { ruleset: details.ruleset, stars: details.stars })
        }
        if (reply.retryAfter !== null) waits.push(reply.retryAfter)
      } catch (error) {
        signal.throwIfAborted()
        return silence(site, error)
      }
    }
    if (evidence.size === ids.length) return null
    const waitMs = Math.min(...waits) * 1000
    if (!(waitMs < leftMs())) return 'the site is still looking them up'
    await sleep(realTime, waitMs, signal)
  }
}

function silence(site: string, error: unknown): string {
  const reason = networkErrorText(systemCode(error)) ?? (error as Error).message
  return `${site} does not answer questions about beatmaps (${reason})`
}

/** Sends one request, as a page of the site does. Its answer is public, so it needs no key. */
function ask(
  site: string,
  look: BeatmapLook,
  signal: AbortSignal,
  timeoutMs = REQUEST_TIMEOUT_MS,
): Promise<BeatmapLookReply> {
  return withTimeout(realTime, timeoutMs, signal, async (limited) => {
    const response = await fetch(`${site}/session/beatmaps`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: new URL(site).origin },
      body: JSON.stringify(look),
      redirect: 'error',
      signal: limited,
    })
    if (!response.ok) throw new Error(`it answers ${response.status}`)
    return (await response.json()) as BeatmapLookReply
  })
}
