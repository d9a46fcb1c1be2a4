import { describe, expect, it } from 'vitest'
import { type Draft, readDraft, storedDraft, writeDraft } from '../../src/web/editor/draft/draft.ts'

import { editOf, inputOf } from '../../src/web/editor/edit.ts'

const draft: Draft = {
  edit: editOf({
    name: ' half ',
    description: 'a draft',
    visibility: 'public',
    buckets: [{ code: 'RC', color: 3, mods: { kind: 'forced', set: ['HD', 'DT'] } }],
    slots: [
      { mod: 'RC', index: 1, beatmapId: 75 },
      { mod: null, index: 1, beatmapId: 75 },
    ],
  }),
  base: editOf({ name: 'whole', slots: [{ mod: 'NM', index: 1, beatmapId: 75 }] }),
  sent: [editOf({ name: 'half', slots: [] })],
  basedOn: '2026-10-03T18:30:00.000Z',
  changedAt: 1_790_000_000_000,
}

/** A browser's storage; `room` is what it takes before it is full. */
const storageOf = (content: Record<string, string> = {}, room = Number.POSITIVE_INFINITY) => ({
  content,
  getItem: (name: string) => content[name] ?? null,
  setItem: (name: string, text: string) => {
    if (text.length > room) throw new DOMException('full', 'QuotaExceededError')
    content[name] = text
  },
  removeItem: (name: string) => void delete content[name],
})

const isOff = () => {
  throw new DOMException('blocked', 'SecurityError')
}

describe('a draft', () => {
  it('comes back as it was written, what is unfinished in it too', () => {
    const read = readDraft(writeDraft(draft))
    expect(read).toMatchObject({ basedOn: draft.basedOn, changedAt: draft.changedAt })
    expect(read?.edit.name).toBe(' half ')
    expect(inputOf(read?.edit ?? draft.edit)).toEqual(inputOf(draft.edit))
    expect(read?.base?.name).toBe('whole')
    expect(read?.sent.map(({ name }) => name)).toEqual(['half'])
  })

  it('of an earlier version of the page says not what it began from, nor what was sent', () => {
    const { base: _, sent: __, ...old } = JSON.parse(writeDraft(draft)) as Record<string, unknown>
    const read = readDraft(JSON.stringify(old))
    expect(read).toMatchObject({ edit: { name: ' half ' }, base: null, sent: [] })
  })

  const text = writeDraft(draft)
  /** The draft with some fields replaced; undefined leaves one out. */
  const spoiled = (changes: object, inPack: object = {}): string => {
    const whole = JSON.parse(text) as { pack: object }
    return JSON.stringify({ ...whole, pack: { ...whole.pack, ...inPack }, ...changes })
  }
  const endless = Array.from({ length: 9_999 }, () => ({ mod: 'NM', index: 1, beatmapId: 1 }))
  it.each<readonly [string, string]>([
    ['no JSON', 'half a dr'],
    ['cut short', text.slice(0, -9)],
    ['null', 'null'],
    ['another version', spoiled({ v: 2 })],
    ['no pack', spoiled({ pack: undefined })],
    ['a name that is no text', spoiled({}, { name: 7 })],
    ['an unknown visibility', spoiled({}, { visibility: 'all' })],
    ['slots that are none', spoiled({}, { slots: [{}] })],
    ['half a slot', spoiled({}, { slots: [{ mod: 'NM', index: 1 }] })],
    ['a bucket of no colour', spoiled({}, { buckets: [{ code: 'RC' }] })],
    ['mods of no kind', spoiled({}, { buckets: [{ code: 'RC', color: 1, mods: {} }] })],
    ['endless slots', spoiled({}, { slots: endless })],
    ['far too long', `${text.slice(0, -1)}${' '.repeat(200_000)}}`],
  ])('is none when it is damaged: %s', (_, damaged) => {
    expect(readDraft(damaged)).toBeNull()
  })
})

describe('where a draft is stored', () => {
  const name = 'draft:7001:q7Jm2_xT0a'

  it('is a place for each name', () => {
    const storage = storageOf()
    const stored = storedDraft(name, () => storage)
    expect(stored.keep(draft)).toBe(true)
    expect(storedDraft('draft:new:1', () => storage).find()).toBe('none')
    expect(stored.find()).toMatchObject({ basedOn: draft.basedOn })
    stored.drop()
    expect(stored.find()).toBe('none')
    expect(storage.content).toEqual({})
  })

  it('throws a damaged one away, and says so once', () => {
    const storage = storageOf({ [name]: '{"v":1' })
    const stored = storedDraft(name, () => storage)
    expect([stored.find(), stored.find()]).toEqual(['damaged', 'none'])
  })

  it('says that it could not keep one when storage is full or off, and fails at nothing', () => {
    expect(storedDraft(name, () => storageOf({}, 10)).keep(draft)).toBe(false)
    const off = storedDraft(name, isOff)
    expect(off.keep(draft)).toBe(false)
    expect(off.find()).toBe('none')
    expect(() => off.drop()).not.toThrow()
  })
})
