import { signal } from '@preact/signals'
import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { PageData } from '../../src/contract/page-data.ts'
import type { Action } from '../../src/web/editing/edit-store.ts'
import { asServed } from '../../src/web/page-data.ts'
import { rightsOf } from '../../src/web/tournament-staff/roles.ts'
import { RoundModel } from '../../src/web/tournament-edit/round-model.ts'
import { roundInputOf } from '../../src/web/tournament-edit/round-store.ts'
import { valueWords } from '../../src/web/tournament-edit/stuck-action.tsx'
import { readActions, unsavedKey } from '../../src/web/tournament-edit/unsaved-actions.ts'

const content = new Map<string, string>()
let isFull = false
const storage = {
  getItem: (key: string) => content.get(key) ?? null,
  setItem: (key: string, text: string) => {
    if (isFull) throw new DOMException('full', 'QuotaExceededError')
    content.set(key, text)
  },
  removeItem: (key: string) => void content.delete(key),
}

// Nothing is sent: there is no site to answer.
beforeAll(() => {
  vi.useFakeTimers()
  vi.stubGlobal('sessionStorage', storage)
})
afterEach(() => {
  content.clear()
  isFull = false
})
afterAll(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const served = <T>(make: () => T): T => asServed({} as PageData, make)
const slug = 'dG91cm5hbW'
const key = served(() => unsavedKey(slug, '7'))
const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }]

/** The page of a round that finds this text in the browser's storage. */
const openWith = (text: string | null): RoundModel =>
  served(() => {
    const at = '2026-11-01T10:00:00.000Z'
    const round = { id: '7', name: 'Finals', slots, createdAt: at, updatedAt: at }
    if (text !== null) content.set(key, text)
    return new RoundModel(slug, { round, tag: '"1"' }, signal(rightsOf('host', false)))
  })

/** What the page shows of a round, as far as it is computed. */
const look = (model: RoundModel): void => {
  void [model.uses.value, model.filled.value, model.leftOver.value]
  roundInputOf(model.store.edit)
  for (const { label, changes } of model.store.stuck.value) {
    expect(label).toBeTypeOf('string')
    for (const { cell, from, to } of changes) {
      for (const each of [from, to]) if (cell !== 'order') valueWords(cell, each, String)
    }
  }
}

const bucket = '{"code":"RC","color":3,"mods":{"kind":"free"}}'
const actions: readonly Action[] = [
  { label: 'a slot', at: 1, changes: [{ cell: 'slot NM 1', from: '{"beatmapId":1}', to: '{}' }] },
  {
    label: 'another',
    at: 2,
    changes: [{ cell: 'slot NM 2', from: null, to: '{"details":{"title":"Tidal Clock"}}' }],
  },
  {
    label: 'a bucket',
    at: 3,
    changes: [
      { cell: 'bucket RC', from: null, to: bucket },
      { cell: 'order', from: '["NM"]', to: '["RC","NM"]' },
    ],
  },
  {
    label: 'fields',
    at: 4,
    changes: [
      { cell: 'field name', from: '"Semifinals"', to: '"Grand Finals"' },
      { cell: 'field bestOf', from: null, to: '11' },
      { cell: 'field targets', from: '{"stars":{"min":4}}', to: null },
    ],
  },
]

/** The value with one part of it, of JSON within texts too, replaced by another value. */
function spoiled(value: unknown, pick: () => number, other: unknown): unknown {
  if (typeof value === 'string' && /^[{["]/.test(value) && pick() > 0) {
    const inner = spoiled(JSON.parse(value) as unknown, pick, other)
    return JSON.stringify(inner)
  }
  if (typeof value !== 'object' || value === null || pick() === 0) return other
  const entries = Object.entries(value)
  const at = entries[pick() % entries.length]?.[0]
  const parts = entries.map(([key, part]) => [key, key === at ? spoiled(part, pick, other) : part])
  return Array.isArray(value)
    ? parts.map(([, part]) => part)
    : (Object.fromEntries(parts) as unknown)
}

describe('changes of a round that are kept in the browser', () => {
  it('come back, as this version of the page writes them and as earlier ones did', () => {
    expect(readActions(JSON.stringify(actions))).toEqual(actions)
    const model = openWith(JSON.stringify(actions))
    const { unsaved } = model.store
    expect(unsaved.map(({ label }) => label)).toEqual(
      expect.arrayContaining(actions.map(({ label }) => label)),
    )
    expect(readActions(content.get(key)!)).toEqual(unsaved)
    expect(model.keeping.value).toBe('kept')
  })

  it('harm nothing, whatever became of them', () => {
    const whole = [JSON.stringify(actions), JSON.stringify({ v: 1, actions })]
    const cut = fc
      .tuple(fc.constantFrom(...whole), fc.nat())
      .map(([text, at]) => text.slice(0, at % text.length))
    const changed = fc
      .tuple(fc.infiniteStream(fc.nat({ max: 9 })), fc.jsonValue(), fc.boolean())
      .map(([stream, other, isOld]) => {
        const pick = () => stream.next().value as number
        const all = spoiled(actions, pick, other)
        return JSON.stringify(isOld ? all : { v: 1, actions: all })
      })
    fc.assert(
      fc.property(fc.oneof(changed, cut, fc.json(), fc.string()), (text) => {
        look(openWith(text))
      }),
      { numRuns: 1_000 },
    )
  })

  it('are left out alone where they are damaged', () => {
    const [slot, ...others] = actions
    const damaged = { ...slot!, changes: [{ cell: 'slot NM 1', from: '{half', to: '{}' }] }
    expect(readActions(JSON.stringify({ v: 1, actions: [damaged, ...others] }))).toEqual(others)
    expect(readActions(JSON.stringify({ v: 2, actions }))).toEqual([])
  })

  it('are said to be on the page alone where storage is full', () => {
    isFull = true
    const model = openWith(null)
    expect(model.keeping.value).toBe('same')
    served(() => model.fill(model.store.slots[0]!, { beatmapId: 76 }, '75'))
    expect(model.keeping.value).toBe('lost')
    isFull = false
    served(() => model.fill(model.store.slots[0]!, { beatmapId: 77 }, '76'))
    expect(model.keeping.value).toBe('kept')
  })
})
