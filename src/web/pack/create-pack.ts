import * as texts from '#texts/pool-page'
import { newIdempotencyKey } from '../../client/request.ts'
import { NAME_LENGTH } from '../../contract/bounds.ts'
import type { PackInput, SitePack } from '../../contract/packs.ts'
import { packInputOf } from '../../pool/pack-fields.ts'
import { withoutDirection } from '../../pool/text.ts'
import { call } from '../api.ts'
import { leaveTo } from '../browser.ts'
import { now } from '../format.ts'
import { orLook } from '../lost-answers.ts'
import { CallFailure, isUnknown } from '../site-failure.ts'

/** A new pack that was sent, and may be saved: sent again under its key, it is not saved twice (D-86). */
export type Attempt = {
  readonly key: string
  readonly body: PackInput
  /** In milliseconds since 1970. */
  readonly at: number
}

/** Where the attempt is kept that no answer has settled. */
type AttemptPlace = {
  readonly find: () => Attempt | null
  readonly keep: (attempt: Attempt | null) => void
}

/** The site keeps keys for a day. */
const KEPT_MS = 23 * 3_600_000

let last: Attempt | null = null
const inMemory: AttemptPlace = { find: () => last, keep: (attempt) => void (last = attempt) }

/** Saves a new pack. If an earlier attempt was saved although its answer was lost, it becomes this one. */
export async function createPack(body: PackInput, place = inMemory): Promise<SitePack> {
  const found = place.find()
  const open = found !== null && now() - found.at < KEPT_MS ? found : null
  if (open === null || isSame(open.body, body)) {
    const pack = await send(open, body, place)
    place.keep(null)
    return pack
  }
  try {
    const { slug } = await send(open, open.body, place)
    const { pack } = await call('getPack', { slug })
    const change = { pack: body, basedOn: pack.updatedAt }
    const saved = isSame(packInputOf(pack), body)
      ? pack
      : (await call('replacePack', { slug, body: change })).pack
    place.keep(null)
    return saved
  } catch (error) {
    const isNone = error instanceof CallFailure && none.includes(error.code)
    if (!isNone || isUnknown(error)) throw error
  }
  place.keep(null)
  return createPack(body, place)
}

/** The attempt saved nothing, or what it saved is deleted. */
const none: readonly unknown[] = ['bad_request', 'not_found', 'conflict']

async function send(open: Attempt | null, body: PackInput, place: AttemptPlace): Promise<SitePack> {
  const { key, at } = open ?? { key: newIdempotencyKey(), at: Math.round(now()) }
  // Before it is sent: the page may be left meanwhile.
  place.keep({ key, body, at })
  try {
    return (await call('createPack', { body, idempotencyKey: key })).pack
  } catch (error) {
    if (open === null && !isUnknown(error)) place.keep(null)
    throw error
  }
}

const isSame = (a: PackInput, b: PackInput): boolean => JSON.stringify(a) === JSON.stringify(b)

export async function createAndOpen(body: PackInput): Promise<void> {
  const create = () => createPack(body)
  const { slug } = await orLook(create, create)
  return leaveTo(`/p/${slug}`)
}

/** `Finals (copy)`, within the bounds of a name (D-19). */
export function copyName(name: string): string {
  const cut = name.slice(0, NAME_LENGTH - texts.nameOfCopy({ name: '' }).length)
  // A name has no directional formatting, which texts surround names with (D-47).
  return withoutDirection(
    texts.nameOfCopy({ name: (cut.isWellFormed() ? cut : cut.slice(0, -1)).trimEnd() }),
  )
}

/** A copy that only its owner finds; of another user's pack, the pool alone. */
export function copyOf(pack: SitePack): PackInput {
  const { name, slots, buckets = null, isMine } = pack
  const visibility = pack.visibility === 'private' ? 'private' : 'unlisted'
  return isMine
    ? packInputOf({ ...pack, name: copyName(name), visibility })
    : packInputOf({ name, slots, buckets, visibility })
}
