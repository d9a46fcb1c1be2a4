import { expect } from 'vitest'
import type { PackInput, Visibility } from '../../src/contract/packs.ts'
import type { Slot } from '../../src/contract/pools.ts'
import { hidePack, unhidePack } from '../../src/operations/moderation.ts'
import { openSiteHouse } from '../support/site-house.ts'
import {
  type Account,
  type Content,
  Marks,
  Model,
  type ModelPack,
  plainSlots,
  stateOf,
} from './model.ts'
import { type Answer, openReaders, type Reader } from './readers.ts'
import type { Act, Sequence, Step } from './sequences.ts'

const STEP_MS = 7_000
const owners = ['ada', 'ben'] as const

/** The house with its readers; what is done in it is done in the model as well. */
export const openScene = async () => {
  const house = await openSiteHouse()
  const readers = await openReaders(house)
  const model = new Model()
  const marks = new Marks()
  const { clock, ports } = house
  /** How many answers depended on what. */
  const decided = new Map<string, number>()
  /** The tag that was read last, by path. */
  const tags = new Map<string, string>()
  /** Answers for a pack that was never there. */
  const missing = new Map<string, Answer>()
  /** How far the feed of changes was followed. */
  const followed = new Map<Account, { cursor: string; from: number }>()

  const now = (): string => new Date(clock.now()).toISOString()

  const begin = async ({ first, isOpen }: Sequence): Promise<ModelPack[]> => {
    clock.nextMinute()
    const packs: ModelPack[] = []
    for (const [at, visibility] of first.entries()) {
      const owner = owners[at]!
      const content = { name: marks.word(), description: marks.word(), slots: [aSlot(0)] }
      const body = inputOf(content, visibility)
      const answer = await readers.find(owner, 'api').ask('POST', '/packs', { body })
      expect(answer.status, answer.text).toBe(201)
      const pack = model.created(owner, content, answer.json.pack)
      packs.push(pack)
      if (isOpen) await turn(pack, readers.find(owner, 'api'), true)
    }
    return packs
  }

  const aSlot = (at: number): Slot =>
    at < plainSlots.length
      ? { ...plainSlots[at]!, beatmapId: marks.beatmapId() }
      : { mod: marks.word(), index: 1, beatmapId: marks.beatmapId() }

  /** Does what the step says, by those who may; the model learns it from the answer. */
  const take = async (pack: ModelPack, { act, door }: Step): Promise<void> => {
    clock.advance(STEP_MS)
    if (pack.isDeleted) return
    const owner = readers.find(pack.owner, door)
    if (act.kind === 'save') return save(pack, owner, changed(pack, act), act.visibility)
    if (act.kind === 'restore') {
      const old = pack.versions.at(-1 - act.back) ?? pack.versions[0]!
      return save(pack, owner, old, null)
    }
    if (act.kind === 'switch') return turn(pack, owner, act.isOpen)
    if (act.kind === 'delete') return remove(pack, owner)
    if (act.kind === 'meddle') return meddle(pack, door)
    return moderate(pack, act.kind, door)
  }

  const save = async (
    pack: ModelPack,
    owner: Reader,
    content: Content,
    visibility: Visibility | null,
  ): Promise<void> => {
    const input = inputOf(content, visibility ?? stateOf(pack).visibility)
    const answer = await (owner.door === 'api'
      ? owner.ask('PUT', `/packs/${pack.slug}`, { body: input })
      : owner.ask('PUT', `/session/packs/${pack.slug}`, {
          body: { pack: input, basedOn: pack.updatedAt },
        }))
    expect(answer.status, answer.text).toBe(200)
    model.saved(pack, content, answer.json.pack)
  }

  const turn = async (pack: ModelPack, owner: Reader, isOpen: boolean): Promise<void> => {
    const path = `${owner.door === 'api' ? '' : '/session'}/packs/${pack.slug}/history`
    const answer = await owner.ask('PUT', path, { body: { public: isOpen } })
    expect(answer.status, answer.text).toBe(204)
    pack.isOpen = isOpen
  }

  const remove = async (pack: ModelPack, owner: Reader): Promise<void> => {
    const path = `${owner.door === 'api' ? '' : '/session'}/packs/${pack.slug}`
    const answer = await owner.ask('DELETE', path)
    expect(answer.status, answer.text).toBe(204)
    model.deleted(pack, now())
  }

  const moderate = async (
    pack: ModelPack,
    kind: 'hide' | 'unhide',
    door: Reader['door'],
  ): Promise<void> => {
    const isSeen = stateOf(pack).visibility !== 'private'
    if (door === 'site') {
      const path = `/session/moderation/packs/${pack.slug}/${kind}`
      const answer = await readers.find('mod', 'site').ask('POST', path, {
        // Another one each time, which is no change of the feed.
        body: { reason: marks.word() },
      })
      expect(answer.status, answer.text).toBe(isSeen ? 200 : 404)
    } else if (isSeen) {
      await (kind === 'hide' ? hidePack : unhidePack)(ports, pack.slug)
    }
    if (isSeen) model.moderated(pack, kind === 'hide', now())
  }

  /** Others change nothing of it, and the model knows nothing of what they try. */
  const meddle = async (pack: ModelPack, door: Reader['door']): Promise<void> => {
    const base = `${door === 'api' ? '' : '/session'}/packs/${pack.slug}`
    for (const account of owners.filter((each) => each !== pack.owner)) {
      const other = readers.find(account, door)
      const opened = await other.ask('PUT', `${base}/history`, { body: { public: true } })
      expect(opened.status, opened.text).toBe(404)
    }
    const opened = await readers.find('mod', door).ask('PUT', `${base}/history`, {
      body: { public: !pack.isOpen },
    })
    expect(opened.status, opened.text).toBe(404)
  }

  const end = async (packs: readonly ModelPack[]): Promise<void> => {
    for (const pack of packs) {
      if (!pack.isDeleted) await remove(pack, readers.find(pack.owner, 'api'))
    }
  }

  const changed = (pack: ModelPack, act: Act & { kind: 'save' }): Content => {
    const before = stateOf(pack)
    let { slots } = before
    const isWanted = (change: (typeof act.changes)[number]) => act.changes.includes(change)
    if (isWanted('slot')) slots = withSlot(slots, act.slot % plainSlots.length, act.isEmptied)
    if (isWanted('bucket')) slots = withSlot(slots, plainSlots.length, act.isEmptied)
    return {
      name: isWanted('name') ? marks.word() : before.name,
      ...(isWanted('description')
        ? act.slot > 0 && { description: marks.word() }
        : before.description !== undefined && { description: before.description }),
      slots: isWanted('order') ? slots.toReversed() : slots,
    }
  }

  /** Fills or replaces one of the slots, or empties it if others are left. */
  const withSlot = (slots: readonly Slot[], at: number, isEmptied: boolean): readonly Slot[] => {
    const isThere = ({ mod, index }: Slot): boolean => {
      const place = plainSlots[at]
      return place === undefined
        ? !plainSlots.some((each) => each.mod === mod)
        : place.mod === mod && place.index === index
    }
    const others = slots.filter((slot) => !isThere(slot))
    return isEmptied && others.length > 0 ? others : [...others, aSlot(at)]
  }

  return { house, readers, model, decided, tags, missing, followed, begin, take, end }
}

export type Scene = Awaited<ReturnType<typeof openScene>>

const inputOf = ({ name, description, slots }: Content, visibility: Visibility): PackInput => ({
  name,
  ...(description !== undefined && { description }),
  slots: [...slots],
  visibility,
})
