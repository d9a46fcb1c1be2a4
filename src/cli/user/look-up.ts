import { realTime, sleep, withTimeout } from '../../client/time.ts'
import type { BeatmapLook, BeatmapLookReply } from '../../contract/beatmaps.ts'
import type { Pack } from '../../contract/packs.ts'
import type { Round } from '../../contract/rounds.ts'
import type { DetailsBySlot, SlotDetails } from '../../formats/sheet.ts'
import { filledSlots } from '../../pool/round-fields.ts'
import { placeKey, slotMods } from '../../pool/slots.ts'
import { networkErrorText, systemCode } from '../system-error.ts'
import { poolOf } from './pack-text.ts'
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
type Looked = Parameters<typeof poolOf>[0] & { readonly slug?: Pack['slug'] | undefined }

/** Looks up the beatmaps of a pool in the site's cache until all are known or a timeout of a minute has passed. */
export async function lookUp(
  site: string,
  pool: Looked,
  context: CliContext,
  patienceMs = LOOK_UP_TIMEOUT_MS,
): Promise<PoolDetails> {
  const { signal, screen } = context
  const plays = slotMods(poolOf(pool))
  const beatmaps = pool.slots.map(({ beatmapId: id }, at) => {
    return { id, mods: [...(plays[at]?.forced ?? [])] }
  })
  let answers: BeatmapLookReply['beatmaps'] = []
  let gap: string | null = null
  const end = performance.now() + patienceMs
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
      const reason = networkErrorText(systemCode(error)) ?? (error as Error).message
      gap = `${site} does not answer questions about beatmaps (${reason})`
    }
    if (wait === null || wait * 1000 > end - performance.now()) break
    await sleep(realTime, Math.min(wait, MAX_WAIT_S) * 1000, signal)
  }
  screen.clear()
  const found = answers.flatMap(({ details, stars = null }, at) =>
    details === undefined ? [] : [[at, { details, stars }] as const],
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

/** Sends one request, as a page of the site does. Its answer is public, so it needs no key. */
function ask(site: string, look: BeatmapLook, signal: AbortSignal): Promise<BeatmapLookReply> {
  return withTimeout(realTime, REQUEST_TIMEOUT_MS, signal, async (limited) => {
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
