import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PackInput, SitePack } from '../../src/contract/packs.ts'
import * as edits from '../../src/pool/edits.ts'
import {
  cellWords,
  type Change,
  changesBetween,
  conflictsWith,
  grouped,
  inverse,
  isDone,
  joined,
  textOf,
  withChanges,
} from '../../src/web/editing/changes.ts'
import { EditStore } from '../../src/web/editing/edit-store.ts'
import { type Edit, editOf, inputOf, isSameEdit } from '../../src/web/editor/edit.ts'
import * as lanes from '../../src/web/editing/lanes/lanes.ts'
import { Saver } from '../../src/web/editor/save/saver.ts'
import { CallFailure } from '../../src/web/site-failure.ts'

const slot = (mod: string | null, index: number, beatmapId: number) => ({ mod, index, beatmapId })
const first: PackInput = {
  name: 'Cup',
  description: 'The first words',
  buckets: ['NM', 'HD', 'HR', 'DT', 'FM']
    .map((code): { code: string; color?: number } => ({ code }))
    .concat([{ code: 'RC', color: 3 }, { code: 'TB' }]) as PackInput['buckets'] & {},
  slots: [slot('NM', 1, 1), slot('NM', 2, 2), slot('HD', 1, 3), slot('RC', 1, 4), slot(null, 1, 5)],
}

type Draw = { readonly kind: (typeof kinds)[number]; readonly at: number; readonly to: number }
const kinds = [
  ...(['fill', 'fill', 'fill', 'move', 'step', 'remove', 'add', 'renumber', 'fromOne'] as const),
  ...(['addBucket', 'removeBucket', 'moveBucket', 'rename', 'describe', 'show'] as const),
]
const draw: fc.Arbitrary<Draw> = fc.record({
  kind: fc.constantFrom(...kinds),
  at: fc.nat(30),
  to: fc.nat(30),
})
const modes = ['private', 'unlisted', 'public'] as const

/** What a person does to an edit. @param fresh a beatmap that is nowhere yet. */
function act(edit: Edit, { kind, at, to }: Draw, fresh: number): Edit {
  const { slots, buckets } = edit
  const key = slots[at % Math.max(1, slots.length)]?.key ?? -1
  const mod = buckets[to % buckets.length]!.code
  const laid = (layout: lanes.KeyedLayout): Edit => lanes.withLayout(edit, layout)
  const filled = (each: Edit['slots'][number]) =>
    each.key === key ? { ...each, beatmapId: fresh } : each
  switch (kind) {
    case 'fill':
      return { ...edit, slots: slots.map(filled) }
    case 'move':
      return lanes.placeSlot(edit, key, mod, at % 3)
    case 'step':
      return lanes.stepSlot(edit, key, to % 2 === 0 ? 1 : -1)
    case 'remove':
      return { ...edit, slots: slots.filter((each) => each.key !== key) }
    case 'add':
      return laid(edits.addSlot(edit, mod, fresh))
    case 'renumber':
      return laid(edits.renumberSlot(edit, at % Math.max(1, slots.length), (to % 6) + 1))
    case 'fromOne':
      return lanes.numberFromOne(edit, mod)
    case 'addBucket':
      return buckets.some(({ code }) => code === `X${to % 3}`)
        ? edit
        : laid(edits.addBucket(edit, `X${to % 3}`))
    case 'removeBucket':
      return laid(edits.removeBucket(edit, mod))
    case 'moveBucket':
      return laid(edits.moveBucket(edit, mod, at % buckets.length))
    case 'rename':
      return { ...edit, name: `Cup ${to}` }
    case 'describe':
      return { ...edit, description: to === 0 ? '' : `Words ${to}` }
    default:
      return { ...edit, visibility: modes[to % 3]! }
  }
}

/** An edit after some actions; each beatmap that they enter is another one. */
const after = (edit: Edit, draws: readonly Draw[], from = 100): Edit =>
  draws.reduce((made, each, at) => act(made, each, from + at), edit)
const same = (a: Edit, b: Edit): void => expect(inputOf(a)).toEqual(inputOf(b))
const someDraws = fc.array(draw, { maxLength: 12 })

describe('changes of cells', () => {
  it('lead from one edit to the other, back, and in two steps as in one', () => {
    fc.assert(
      fc.property(someDraws, someDraws, (draws, more) => {
        const before = editOf(first)
        const between = after(before, draws)
        const end = after(between, more, 200)
        const [one, two] = [changesBetween(before, between), changesBetween(between, end)]
        same(withChanges(before, one), between)
        same(withChanges(between, inverse(one)), before)
        same(withChanges(before, joined(one, two)), end)
        expect(isDone(end, two)).toBe(true)
        expect(conflictsWith(before, one)).toEqual([])
      }),
    )
  })

  it('of disjoint cells make the same in any order', () => {
    fc.assert(
      fc.property(someDraws, someDraws, (mine, theirs) => {
        const base = editOf(first)
        const all = changesBetween(base, after(base, theirs, 200))
        const taken = new Set(all.map(({ cell }) => cell))
        const own = grouped(changesBetween(base, after(base, mine)))
          .filter((group) => group.every(({ cell }) => !taken.has(cell)))
          .flat()
        const [one, other] = [
          withChanges(withChanges(base, own), all),
          withChanges(withChanges(base, all), own),
        ]
        // Slots in a bucket that only they name make one; which colour it gets depends on the order.
        const codes = (edit: Edit) => inputOf(edit).buckets?.map(({ code }) => code)
        expect({ ...inputOf(one), buckets: codes(one)?.toSorted() }).toEqual({
          ...inputOf(other),
          buckets: codes(other)?.toSorted(),
        })
      }),
    )
  })

  it('come in groups that lose no beatmap when some of them are left out', () => {
    fc.assert(
      fc.property(someDraws, fc.nat(), (draws, chosen) => {
        const base = editOf(first)
        const end = after(base, draws)
        const groups = grouped(changesBetween(base, end))
        const some = groups.filter((_, at) => (chosen >> (at % 31)) % 2 === 0)
        const made = withChanges(base, some.flat())
        // Each beatmap is where it was before or where it is at the end, if it is in both.
        const ids = (edit: Edit) => edit.slots.map(({ beatmapId }) => beatmapId)
        for (const id of ids(base)) if (ids(end).includes(id)) expect(ids(made)).toContain(id)
      }),
    )
  })

  it('of a bucket belong to those of its slots', () => {
    const base = editOf(first)
    const renamed = edits.changeBucket(base, 'RC', { code: 'SV', color: 4 })
    const end = lanes.withLayout({ ...base, name: 'Mug' }, renamed)
    const groups = grouped(changesBetween(base, end)).map((all) => all.map(({ cell }) => cell))
    expect(groups.map((all) => all.toSorted().join(', ')).toSorted()).toEqual([
      'bucket RC, bucket SV, slot RC 1, slot SV 1',
      'field name',
      'order',
    ])
  })

  it('are equal texts for equal values, and have names', () => {
    expect(textOf({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}')
    const cells = ['slot NM 1', 'slot  3', 'bucket RC', 'order', 'field packName']
    const words = ['NM1', '3', 'Bucket RC', 'Order of buckets', 'Name of the pack']
    expect(cells.map(cellWords)).toEqual(words)
  })

  it('keep two slots in one place apart', () => {
    const twice = editOf({ ...first, slots: [slot('NM', 1, 1), slot('NM', 1, 2)] })
    const emptied: Edit = { ...twice, slots: [] }
    same(withChanges(emptied, changesBetween(emptied, twice)), twice)
  })
})

describe('an edit store', () => {
  it('undoes and redoes exactly, step by step', () => {
    fc.assert(
      fc.property(someDraws, (draws) => {
        const store = new EditStore(editOf(first))
        const seen = [store.edit]
        for (const [at, each] of draws.entries()) {
          const before = store.undoes
          store.change(String(at), (edit) => act(edit, each, 100 + at))
          if (store.undoes !== before) seen.push(store.edit)
        }
        for (const edit of seen.slice(0, -1).toReversed()) {
          expect(store.undo()?.isDone).toBe(true)
          same(store.edit, edit)
        }
        expect(store.undo()).toBeNull()
        for (const edit of seen.slice(1)) {
          expect(store.redo()?.isDone).toBe(true)
          same(store.edit, edit)
        }
        expect(store.redo()).toBeNull()
      }),
    )
  })

  it('undoes its own actions alone, and nothing that was changed since', () => {
    const store = new EditStore(editOf(first))
    store.change('rename', (edit) => ({ ...edit, name: 'Mine' }))
    store.change('describe', (edit) => ({ ...edit, description: 'Mine' }))
    const theirs: Change = { cell: 'field name', from: '"Mine"', to: '"Theirs"' }
    store.absorb([theirs])
    expect(store.undo()).toMatchObject({ label: 'describe', isDone: true })
    expect(store.undo()).toMatchObject({ label: 'rename', isDone: false, kept: ['Name'] })
    expect(store.edit).toMatchObject({ name: 'Theirs', description: 'The first words' })
    expect(store.undo()).toBeNull()
  })

  it('undoes of a step what nobody has changed since; what has moved goes back whole or not at all', () => {
    const store = new EditStore(editOf({ ...first, slots: [slot('NM', 1, 1), slot('NM', 2, 2)] }))
    const held = () =>
      store.slots.map(({ mod, index, beatmapId }) => `${mod}${index} ${beatmapId}`).toSorted()
    const cell = (index: number, from: number | null, to: number | null): Change => {
      const [was, is] = [from, to].map((id) => (id === null ? null : `{"beatmapId":${id}}`))
      return { cell: `slot NM ${index}`, from: was!, to: is! }
    }
    store.take('swap and add', [cell(1, 1, 2), cell(2, 2, 1), cell(3, null, 3), cell(4, null, 4)])
    store.absorb([cell(2, 1, 9), cell(4, 4, 8)])
    const undone = { isDone: false, isNothing: false, kept: ['NM1', 'NM2', 'NM4'] }
    expect(store.undo()).toMatchObject(undone)
    expect(held()).toEqual(['NM1 2', 'NM2 9', 'NM4 8'])
    // A redo brings what the undo took.
    expect(store.redo()).toMatchObject({ isDone: true })
    expect(held()).toEqual(['NM1 2', 'NM2 9', 'NM3 3', 'NM4 8'])
  })

  it('keeps a bucket that it would take back while somebody has a slot in it', () => {
    const store = new EditStore(editOf({ ...first, slots: [slot('NM', 1, 1)] }))
    const bucket = { cell: 'bucket SV', from: null, to: '{"code":"SV","color":4}' }
    const added = (index: number) => ({
      cell: `slot SV ${index}`,
      from: null,
      to: '{"beatmapId":5}',
    })
    store.take('paste a sheet', [bucket, added(1), added(2)])
    store.absorb([{ ...added(2), to: '{"beatmapId":6}' }])
    expect(store.undo()).toMatchObject({ kept: ['SV2', 'Bucket SV'] })
    expect(store.slots.map(({ mod, index }) => `${mod}${index}`)).toEqual(['NM1', 'SV2'])
    expect(store.buckets).toContainEqual({ code: 'SV', color: 4 })
  })

  it('holds back what both have changed, with what is done to the same later', () => {
    const store = new EditStore(editOf(first))
    const renamed = (from: string, to: string): Change => ({
      cell: 'field name',
      from: JSON.stringify(from),
      to: JSON.stringify(to),
    })
    store.replay(editOf({ ...first, name: 'Theirs' }), [
      store.action('rename', [renamed('Cup', 'Mine')]),
    ])
    store.set('rename again', renamed('Mine', 'Mine too'))
    const both = { ...renamed('Cup', 'Mine too') }
    expect(store.stuck.value.map(({ changes }) => changes)).toEqual([[both]])
    expect(store.edit.name).toBe('Theirs')
    // The others have come to the same.
    store.replay(editOf({ ...first, name: 'Mine too' }), [])
    expect(store.stuck.value).toEqual([])
  })

  it('keeps for the draft of a pack what is stuck as it was done, one after the other', () => {
    const { store, saver } = new Window(new Site())
    const rename = (from: string, to: string): Change[] => [
      { cell: 'field name', from: JSON.stringify(from), to: JSON.stringify(to) },
    ]
    const [one, two] = [
      store.action('rename', rename('Cup', 'Mine')),
      store.action('rename again', rename('Theirs', 'Mine too')),
    ]
    // The later one gets stuck first.
    store.replay(editOf({ ...first, name: 'Theirs too' }), [two, one])
    expect(store.stuck.value.map(({ label }) => label)).toEqual(['rename', 'rename again'])
    expect([saver.kept.edit.name, saver.kept.base.name]).toEqual(['Mine too', 'Cup'])
    store.keepMine(...store.stuck.value.toReversed())
    expect(store.edit.name).toBe('Mine too')
  })

  it('keeps for the draft of a pack what was changed again after it got stuck', async () => {
    const site = new Site()
    const window = new Window(site)
    const rename = (from: string, to: string): Change => ({
      cell: 'field name',
      from: JSON.stringify(from),
      to: JSON.stringify(to),
    })
    window.store.set('rename', rename('Cup', 'Mine'))
    site.replace({ ...first, name: 'Theirs' }, site.pack.updatedAt)
    void window.saver.save()
    while (window.saver.state.phase === 'saving') await window.letGo()
    expect([window.saver.state.phase, window.saver.kept.edit.name]).toEqual(['conflict', 'Mine'])
    window.store.set('rename again', rename('Theirs', 'Mine since'))
    const { store } = window.reopened()
    expect([store.edit.name, store.stuck.value]).toEqual(['Mine since', []])
  })

  it('keeps the objects and keys of what a merge leaves as it is', () => {
    const store = new EditStore(editOf(first))
    const { slots, buckets } = store
    store.replay({ ...editOf(first), name: 'Theirs' }, [])
    expect([store.slots, store.buckets, store.edit.name]).toEqual([slots, buckets, 'Theirs'])
    expect(store.slots).toBe(slots)
    store.replay(editOf({ ...first, slots: first.slots.toReversed().slice(1) }), [])
    for (const each of store.slots) expect(slots).toContain(each)
  })
})

/** The site: a pack that is replaced by whoever has seen its last version (spec 4.2, D-36). */
class Site {
  pack: SitePack
  constructor() {
    const createdAt = '2026-11-01T10:00:00.000Z'
    const fixed = { slug: 'q7Jm2_xT0a', packKey: 'pk1.x', ownerName: 'Ada', exports: [] }
    const flags = { isMine: true, isPinned: false, visibility: 'unlisted' as const }
    this.pack = { ...first, ...fixed, ...flags, createdAt, updatedAt: createdAt }
  }

  replace(input: PackInput, updatedAt: string | undefined): SitePack {
    if (updatedAt !== this.pack.updatedAt) {
      throw new CallFailure('conflict', 'It was saved since.', { status: 409 })
    }
    const { description: _, buckets: __, ...rest } = this.pack
    const time = new Date(Date.parse(updatedAt) + 1000).toISOString()
    this.pack = { ...rest, ...(structuredClone(input) as SitePack), updatedAt: time }
    return this.pack
  }
}

/** A window in which the pack is edited; calls are answered when they are let go. */
class Window {
  readonly store: EditStore<Edit>
  readonly saver: Saver
  readonly waiting: (() => void)[] = []
  readonly #site: Site

  /** @param draft what an earlier page of the window has left. */
  constructor(site: Site, draft: { edit: Edit; base: Edit } | null = null) {
    this.#site = site
    this.store = new EditStore(draft?.edit ?? editOf(site.pack))
    this.saver = new Saver(this.store, site.pack, draft?.base ?? null, {
      send: (input, base) => this.#call(() => site.replace(input, base?.updatedAt)),
      read: () => this.#call(() => site.pack),
      now: () => 0,
      later: () => () => {},
      isSavedChanged: () => true,
      onSaved: () => {},
    })
  }

  /** The window is closed, and another one goes on with its draft. */
  reopened = (): Window => new Window(this.#site, this.saver.kept)

  #call<T>(work: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.waiting.push(() => {
      try {
        resolve(work())
      } catch (error) {
        reject(error)
      }
    })
    return promise
  }

  /** What the person sees: in the lanes, and in the question of a conflict. */
  get seen(): number[] {
    const ofStuck = this.store.stuck.value.flatMap(({ changes }) =>
      changes.flatMap(({ cell, from, to }) => (cell.startsWith('slot ') ? [from, to] : [])),
    )
    const inStuck = ofStuck.flatMap((text) => {
      const { beatmapId } = JSON.parse(text ?? '{}') as { beatmapId?: number }
      return beatmapId ?? []
    })
    return [...this.store.slots.map(({ beatmapId }) => beatmapId), ...inStuck]
  }

  async letGo(): Promise<void> {
    this.waiting.shift()?.()
    for (let turn = 0; turn < 8; turn += 1) await Promise.resolve()
  }

  async finish(decide: () => void): Promise<void> {
    if (this.saver.state.phase === 'saved') return
    for (let rounds = 0; !this.saver.isUnchanged.value || this.waiting.length > 0; rounds += 1) {
      if (rounds > 100) throw new Error('no end')
      if (this.saver.state.phase === 'conflict') decide()
      else if (this.waiting.length === 0) void this.saver.save()
      await this.letGo()
    }
  }
}

describe('windows that edit one pack', () => {
  const acts = ['act', 'act', 'act', 'act', 'undo', 'redo', 'mine', 'theirs'] as const
  const oneStep = fc.record({
    who: fc.nat(2),
    what: fc.constantFrom(...acts, ...(['save', 'go', 'go', 'go', 'reopen'] as const)),
    draw,
  })

  it('lose no beatmap that nobody has seen go, and end with the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(oneStep, { maxLength: 50 }), async (steps) => {
        const site = new Site()
        const windows = [new Window(site), new Window(site), new Window(site)]
        const entered = new Set(first.slots.map(({ beatmapId }) => beatmapId))
        const seenToGo = new Set<number>()
        let fresh = 100
        /** Only what a person does themselves may take away what they see. */
        const does = ({ saver, store }: Window, what: (typeof acts)[number], each?: Draw): void => {
          if (what === 'act') store.change('act', (edit) => act(edit, each!, (fresh += 1)))
          else if (what === 'undo' || what === 'redo') {
            const shown = store.edit
            const made = store[what]()
            if (made?.isDone !== true) expect(store.edit).toBe(shown)
          } else if (what === 'mine') void saver.keepMine()
          else saver.takeTheirs()
        }
        const step = (window: Window, what: (typeof acts)[number], each?: Draw): void => {
          const before = window.seen
          does(window, what, each)
          const left = new Set(window.seen)
          for (const id of left) entered.add(id)
          for (const id of before) if (!left.has(id)) seenToGo.add(id)
        }
        for (const { who, what, draw: each } of steps) {
          // After a save, the page is another one.
          if (windows[who]!.saver.state.phase === 'saved') windows[who] = windows[who]!.reopened()
          const window = windows[who]!
          const isInConflict = window.saver.state.phase === 'conflict'
          if (what === 'go') await window.letGo()
          else if (what === 'reopen') windows[who] = window.reopened()
          else if (what === 'save') {
            if (!isInConflict) void window.saver.save()
          } else if (isInConflict || (what !== 'mine' && what !== 'theirs'))
            step(window, what, each)
        }
        for (const window of windows) await window.finish(() => step(window, 'mine'))
        const kept = new Set(site.pack.slots.map(({ beatmapId }) => beatmapId))
        expect([...entered].filter((id) => !kept.has(id) && !seenToGo.has(id))).toEqual([])
        for (const window of windows) {
          const again = new Window(site, window.saver.kept)
          expect(again.store.stuck.value).toEqual([])
          expect(isSameEdit(again.store.edit, editOf(site.pack))).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })
})
