import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PackInput, SitePack } from '../../src/contract/packs.ts'
import { EditStore } from '../../src/web/editing/edit-store.ts'
import { openingOf, storedDraft } from '../../src/web/editor/draft/draft.ts'
import { keepDraft } from '../../src/web/editor/draft/keep-draft.ts'
import { Saver } from '../../src/web/editor/save/saver.ts'
import { CallFailure, unreachable } from '../../src/web/site-failure.ts'

const NAME = 'draft:7001:q7Jm2_xT0a'
const FIRST: SitePack = {
  slug: 'q7Jm2_xT0a',
  name: 'Cup',
  visibility: 'unlisted',
  slots: [{ mod: 'NM', index: 1, beatmapId: 75 }],
  exports: [],
  createdAt: '2026-10-03T18:00:00.000Z',
  updatedAt: '2026-10-03T18:00:00.000Z',
  packKey: 'pk1.x',
  ownerName: 'Ada',
  isMine: true,
  isPinned: false,
}

const fates = ['answered', 'lost', 'never arrived', 'refused', 'under way'] as const
type Fate = (typeof fates)[number]
type Handlers = Map<string, ((event: unknown) => void)[]>

/** Of the window that is being opened. */
let handlers: Handlers = new Map()
/** Of the one that is shown again. */
let reload = (): void => {}

beforeEach(() => {
  const listen = (type: string, handler: (event: unknown) => void) =>
    handlers.set(type, [...(handlers.get(type) ?? []), handler])
  vi.stubGlobal('addEventListener', listen)
  vi.stubGlobal('document', { addEventListener: listen })
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('location', { reload: () => reload() })
})
afterEach(() => vi.unstubAllGlobals())

const settled = () => new Promise(setImmediate)

/**
 * A browser whose windows alone write to a pack, over a connection that does as it is told. `isLate`: a window hears of
 * what another one has stored when it is told to.
 */
const openBrowser = (isLate = false) => {
  let pack = FIRST
  let fate: Fate = 'answered'
  let reads: PromiseWithResolvers<void> | null = null
  const read = async (): Promise<SitePack> => {
    await reads?.promise
    return pack
  }
  let saves = 0
  const underWay: (() => void)[] = []
  const content = new Map<string, string>()
  const windows = new Set<Window>()
  type Window = ReturnType<typeof makeWindow>

  const write = (input: PackInput, base: SitePack | null): void => {
    if (base?.updatedAt !== pack.updatedAt) {
      throw new CallFailure('conflict', 'Changed.', { status: 409 })
    }
    saves += 1
    const updatedAt = new Date(Date.parse(FIRST.updatedAt) + saves * 1000).toISOString()
    pack = { ...pack, description: undefined, ...input, updatedAt } as SitePack
  }
  const send = async (
    isOpen: () => boolean,
    ...[input, base]: Parameters<typeof write>
  ): Promise<SitePack> => {
    if (fate === 'under way') {
      await new Promise<void>((go) => underWay.push(go))
      try {
        write(input, base)
        return pack
      } finally {
        // Nobody hears the answer.
        if (!isOpen()) await new Promise(() => {})
      }
    }
    if (fate === 'refused') throw new CallFailure('forbidden', 'No.', { status: 403 })
    if (fate === 'never arrived') throw unreachable('unknown')
    write(input, base)
    if (fate === 'lost') throw unreachable('unknown')
    return pack
  }

  const makeWindow = () => {
    const own: Handlers = new Map()
    handlers = own
    const change = (newValue: string | null): void => {
      for (const other of windows) {
        if (other.own !== own) other.late.push({ newValue, age: 0 })
        if (!isLate) other.hear()
      }
    }
    const storage = {
      getItem: () => content.get(NAME) ?? null,
      setItem: (_: string, text: string) => {
        if (!windows.has(window)) return
        content.set(NAME, text)
        change(text)
      },
      removeItem: () => {
        if (windows.has(window) && content.delete(NAME)) change(null)
      },
    }
    const stored = storedDraft(NAME, () => storage)
    const opening = openingOf(pack, stored.find())
    const store = new EditStore(opening.edit)
    const deps = {
      send: (...sent: Parameters<typeof write>) => send(() => windows.has(window), ...sent),
      read,
      now: () => 1_000,
      later: () => () => {},
      isSavedChanged: () => true,
      onSaved: (_: SitePack, isAll: boolean) => {
        if (isAll) kept.dropSaved()
        if (isAll && saver.state.phase === 'saved') leave(window)
      },
    }
    const saver = new Saver(store, pack, opening.base, deps, opening.sent)
    const kept = keepDraft(store, saver, stored)
    const fire = (type: string, event: unknown = {}): void =>
      own.get(type)?.forEach((handler) => handler(event))
    const late: { newValue: string | null; age: number }[] = []
    /** Hears of what was stored so many milliseconds ago, or before. */
    const hear = (ago = 0): void => {
      while (late[0] && late[0].age >= ago) {
        fire('storage', { key: NAME, newValue: late.shift()!.newValue })
      }
    }
    /** Hears of everything within less than a pause. */
    const age = (ms: number): void => {
      for (const each of late) each.age += ms
      hear(250)
    }
    const window = { own, store, saver, fire, late, hear, age }
    return window
  }
  const open = (): Window => {
    const window = makeWindow()
    windows.add(window)
    return window
  }
  const close = (window: Window): void => {
    window.fire('pagehide')
    windows.delete(window)
  }
  /** In the back/forward cache, in which nothing is run. */
  const frozen: Window[] = []
  const leave = (window: Window): void => {
    close(window)
    if (window.saver.state.phase !== 'saving') frozen.push(window)
  }
  return {
    windows,
    open,
    close,
    leave,
    comeBack: (): void => {
      const window = frozen.pop()
      if (window === undefined) return
      windows.add(window)
      reload = () => {
        windows.delete(window)
        open()
      }
      window.fire('pageshow', { persisted: true })
    },
    pack: () => pack,
    /** Holds what windows read of the pack until it is called. */
    holdReads: (): (() => void) => {
      const held = Promise.withResolvers<void>()
      reads = held
      return () => {
        held.resolve()
        reads = null
      }
    },
    isDraft: () => content.has(NAME),
    go: (next: Fate) => void (fate = next),
    arrive: () => underWay.splice(0).forEach((each) => each()),
    /** What was changed is stored, and is taken over by the others. */
    rest: async () => {
      for (const window of windows) {
        window.fire('visibilitychange')
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await settled()
      }
    },
  }
}

it('of windows that share a draft, no save is taken for one of somebody else', async () => {
  const step = fc.oneof(
    fc.record({ at: fc.nat(2), type: fc.constantFrom('A', 'B', 'C', 'Cup') }),
    fc.record({ at: fc.nat(2), describe: fc.constantFrom('x', 'y', '') }),
    fc.record({ at: fc.nat(2), save: fc.constantFrom(...fates) }),
    fc.record({ at: fc.nat(2), close: fc.constant(true) }),
    fc.record({ at: fc.nat(2), leave: fc.constant(true) }),
    fc.record({ comeBack: fc.constant(true) }),
    fc.record({ open: fc.constant(true) }),
    fc.record({ arrive: fc.constant(true) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const { windows, open, close, pack, go, arrive, rest, leave, comeBack } = openBrowser()
      let [name, description] = ['Cup', '']
      open()
      open()
      const isQuiet = (): void => {
        for (const { saver, store } of windows) {
          expect(saver.state.phase).not.toBe('conflict')
          expect([store.edit.name, store.edit.description]).toEqual([name, description])
        }
      }
      const act = async (
        each: Partial<Record<'type' | 'describe', string>> & {
          at?: number
          save?: Fate
          close?: boolean
          leave?: boolean
          comeBack?: boolean
          open?: boolean
          arrive?: boolean
        },
      ) => {
        if (each.open) return void open()
        if (each.comeBack) return comeBack()
        if (each.arrive) return arrive()
        const window = [...windows][each.at ?? 0] ?? [...windows][0] ?? open()
        const { type, describe } = each
        if (type !== undefined) {
          name = type
          window.store.change('Rename', (edit) => ({ ...edit, name }))
        } else if (describe !== undefined) {
          description = describe
          window.store.change('Describe', (edit) => ({ ...edit, description }))
        } else if (each.save) {
          go(each.save)
          if (!window.saver.isUnchanged.value) void window.saver.save()
        } else if (each.leave) leave(window)
        else close(window)
      }
      for (const each of steps) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await act(each)
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await settled()
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await rest()
        isQuiet()
      }
      go('answered')
      arrive()
      await settled()
      await rest()
      for (const window of windows) close(window)
      const last = open()
      isQuiet()
      if (last.saver.isUnchanged.value)
        expect([pack().name, pack().description ?? '']).toEqual([name, description])
      name = 'Last'
      last.store.change('Rename', (edit) => ({ ...edit, name }))
      await last.saver.save()
      await settled()
      expect(pack()).toMatchObject({ name })
      expect(pack().description ?? '').toBe(description)
    }),
    { numRuns: 1_000 },
  )
})

it('of windows that hear of each other late, no change is lost or taken back', async () => {
  const at = fc.nat(2)
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ type: fc.constantFrom('A', 'B', 'Cup') }) },
    { weight: 3, arbitrary: fc.record({ describe: fc.constantFrom('x', 'y', '') }) },
    { weight: 3, arbitrary: fc.record({ hear: at }) },
    { weight: 3, arbitrary: fc.record({ wait: fc.constantFrom(100, 400) }) },
    { weight: 2, arbitrary: fc.record({ save: at }) },
    fc.record({ hide: at }),
    fc.record({ reload: at }),
    fc.record({ read: fc.boolean() }),
  )
  const run = async (steps: readonly Readonly<Record<string, string | number | boolean>>[]) => {
    const browser = openBrowser(true)
    const { windows, open, close, pack, holdReads, isDraft } = browser
    /** The first one names the pack, the second one describes it. */
    const [first, second, third] = [open(), open(), open()]
    const places = [first, second, third]
    let [name, description] = ['Cup', '']
    let arrive = (): void => {}
    const show = (): void => {
      for (const [place, window] of places.entries()) {
        if (!windows.has(window)) places[place] = open()
      }
    }
    const pass = async (ms: number): Promise<void> => {
      for (let passed = 0; passed <= ms; passed += 50) {
        vi.advanceTimersByTime(passed === 0 ? 0 : 50)
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await settled()
        show()
        if (passed > 0) for (const window of places) window.age(50)
      }
      await settled()
    }
    const act = (each: (typeof steps)[number]): void => {
      const { type, describe, hear, save, hide, reload: again, read } = each
      if (typeof type === 'string') {
        name = type
        places[0]!.store.change('Rename', (edit) => ({ ...edit, name: type }))
      } else if (typeof describe === 'string') {
        description = describe
        places[1]!.store.change('Describe', (edit) => ({ ...edit, description: describe }))
      } else if (typeof hear === 'number') places[hear]!.hear()
      else if (typeof save === 'number') {
        if (!places[save]!.saver.isUnchanged.value) void places[save]!.saver.save()
      } else if (typeof hide === 'number') places[hide]!.fire('visibilitychange')
      else if (typeof again === 'number') close(places[again]!)
      else if (read !== undefined) {
        arrive()
        if (read === false) arrive = holdReads()
      }
    }
    const isQuiet = (): void => {
      for (const { saver } of places) expect(saver.state.phase).not.toBe('conflict')
    }
    for (const each of steps) {
      // A person acts on what they see.
      const place = 'type' in each ? 0 : 'describe' in each ? 1 : each['save']
      if (typeof place === 'number') {
        arrive()
        places[place]!.hear()
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await pass(0)
      }
      act(each)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await pass(typeof each['wait'] === 'number' ? each['wait'] : 0)
      isQuiet()
    }
    arrive()
    await pass(4_000)
    isQuiet()
    for (const { store } of places) {
      expect([store.edit.name, store.edit.description]).toEqual([name, description])
    }
    const isSaved = pack().name === name && (pack().description ?? '') === description
    for (const { saver } of places) expect(saver.isUnchanged.value).toBe(isSaved)
    expect(isDraft()).toBe(!isSaved)
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 24 }), run), { numRuns: 2_000 })
  } finally {
    vi.useRealTimers()
  }
})

it('what one window has saved stays so where another one stores its draft before it has read that', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const pause = (): void => void vi.advanceTimersByTime(1_000)
  const { windows, open, pack, holdReads, isDraft } = openBrowser()
  const [one, other] = [open(), open()]
  const rename = (name: string): void => one.store.change('Rename', (edit) => ({ ...edit, name }))
  rename('A')
  pause()
  rename('B')
  one.fire('visibilitychange')
  expect(other.store.edit.name).toBe('B')
  rename('A')
  const arrive = holdReads()
  await one.saver.save()
  await settled()
  expect([...windows]).toEqual([other])
  pause()
  arrive()
  await settled()
  pause()
  vi.useRealTimers()
  expect(pack().name).toBe('A')
  expect(other.store.edit.name).toBe('A')
  expect([other.saver.isUnchanged.value, isDraft()]).toEqual([true, false])
})
