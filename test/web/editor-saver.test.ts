import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PackInput, SitePack } from '../../src/contract/packs.ts'
import { EditStore } from '../../src/web/editing/edit-store.ts'
import { type Draft, openingOf, readDraft, writeDraft } from '../../src/web/editor/draft/draft.ts'
import { editOf } from '../../src/web/editor/edit.ts'
import { Saver } from '../../src/web/editor/save/saver.ts'
import { CallFailure, unreachable } from '../../src/web/site-failure.ts'

const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }]
const pack = (changes: Partial<SitePack> = {}): SitePack => ({
  slug: 'q7Jm2_xT0a',
  name: 'Cup',
  visibility: 'unlisted',
  slots,
  exports: [],
  createdAt: '2026-10-03T18:00:00.000Z',
  updatedAt: '2026-10-03T18:00:00.000Z',
  packKey: 'pk1.x',
  ownerName: 'Ada',
  isMine: true,
  isPinned: false,
  ...changes,
})
const later = '2026-10-03T19:00:00.000Z'
const failure = (status: number, code: CallFailure['code'], retryAfter: number | null = null) =>
  new CallFailure(code, 'Name must not contain a slur.', {
    status,
    retryAfter,
    problems: [{ place: 'name', what: 'slur' }],
  })

type Options = {
  saved?: SitePack | null
  /** What a draft began from and is, where that is not the pack as it is saved. */
  draft?: { base: SitePack; edit: SitePack } | null
  /** What each call answers, in turn. */
  answers?: (SitePack | Error)[]
  /** What is saved elsewhere; several: at each reading. */
  theirs?: SitePack | Error | SitePack[]
  isSavedChanged?: boolean
}

const begin = ({
  saved = pack(),
  draft = null,
  answers = [],
  theirs,
  isSavedChanged = true,
}: Options = {}) => {
  const store = new EditStore(editOf(draft?.edit ?? saved ?? pack({ name: 'New' })))
  const sent: [PackInput, SitePack | null][] = []
  const kept: [string, boolean][] = []
  const late: string[] = []
  const timers: { ms: number; goOn: () => void; isOff: boolean }[] = []
  const give = <T>(answer: T | Error | undefined): Promise<T> =>
    answer instanceof Error || answer === undefined
      ? Promise.reject(answer)
      : Promise.resolve(answer)
  const saver = new Saver(store, saved, draft && editOf(draft.base), {
    send: (input, base) => {
      sent.push([input, base])
      return give(answers.shift())
    },
    read: () => give(Array.isArray(theirs) ? theirs.shift() : theirs),
    now: () => 1_000,
    later: (ms, goOn) => {
      const timer = { ms, goOn, isOff: false }
      timers.push(timer)
      return () => void (timer.isOff = true)
    },
    isSavedChanged: () => isSavedChanged,
    onSaved: ({ slug }, isAll, isLate) => {
      kept.push([slug, isAll])
      if (isLate) late.push(slug)
    },
  })
  const rename = (name: string) => store.change('Rename', (edit) => ({ ...edit, name }))
  return { store, saver, sent, kept, late, timers, rename }
}

describe('saving', () => {
  it('creates what is new, and replaces what the edit began from', async () => {
    const fresh = begin({ saved: null, answers: [pack()] })
    await fresh.saver.save()
    expect(fresh.sent[0]?.[1]).toBeNull()
    expect(fresh.kept).toEqual([['q7Jm2_xT0a', true]])
    const old = begin({ answers: [pack({ updatedAt: later })] })
    await old.saver.save()
    expect(old.sent[0]?.[1]).toMatchObject({ slug: 'q7Jm2_xT0a', updatedAt: pack().updatedAt })
    expect(old.saver.state.phase).toBe('saved')
  })

  it('goes once, however often one presses', async () => {
    const { saver, sent } = begin({ answers: [pack(), pack()] })
    await Promise.all([saver.save(), saver.save()])
    await saver.save()
    expect(sent.length).toBe(1)
  })

  it('stays when something was changed while it was under way, and goes on from there', async () => {
    const { saver, kept, rename, sent } = begin({ answers: [pack({ updatedAt: later }), pack()] })
    const saving = saver.save()
    rename('Mug')
    await saving
    expect(kept).toEqual([['q7Jm2_xT0a', false]])
    expect(saver.state.phase).toBe('idle')
    await saver.save()
    expect(sent[1]).toMatchObject([{ name: 'Mug' }, { updatedAt: later }])
  })

  it.each([
    [failure(401, 'not_signed_in'), 'signed-out'],
    [new CallFailure('forbidden', 'No.', { status: 403, reason: 'stale_token' }), 'other-session'],
    [failure(403, 'forbidden'), 'failed'],
    [failure(404, 'not_found'), 'deleted'],
    [failure(500, 'internal_error'), 'failed'],
    [unreachable(), 'failed'],
    [new TypeError('something of ours'), 'failed'],
  ])('tells what is in its way: %s', async (error, phase) => {
    const { saver, store } = begin({ answers: [error, pack()] })
    const { edit } = store
    await saver.save()
    expect(saver.state.phase).toBe(phase)
    expect(store.edit).toBe(edit)
    await saver.save()
    expect(saver.state.phase).toBe('saved')
  })

  it('shows a refusal at the field that it names (D-24)', async () => {
    const { saver } = begin({ answers: [failure(400, 'bad_request')] })
    await saver.save()
    expect(saver.state).toMatchObject({
      phase: 'refused',
      refusal: { problem: { id: 'edit-name' } },
    })
  })

  it('takes a conflict of a new pack for 200 packs (spec 4.1 rule 7)', async () => {
    const { saver } = begin({ saved: null, answers: [failure(409, 'conflict')] })
    await saver.save()
    expect(saver.state.phase).toBe('full')
  })

  it('makes a new pack of one that was deleted, when asked', async () => {
    const { saver, sent } = begin({ answers: [failure(404, 'not_found'), pack()] })
    await saver.save()
    await saver.saveAsNew()
    expect(sent.map(([, base]) => base === null)).toEqual([false, true])
  })
})

describe('a rate limit', () => {
  it('is waited for, and saving goes on by itself', async () => {
    const { saver, timers } = begin({ answers: [failure(429, 'rate_limited', 23), pack()] })
    await saver.save()
    expect(saver.state).toEqual({ phase: 'waiting', until: 24_000, message: null })
    expect(timers[0]?.ms).toBe(23_000)
    timers[0]?.goOn()
    await expect.poll(() => saver.state.phase).toBe('saved')
  })

  it('is not waited for when one does not want to', async () => {
    const { saver, timers } = begin({ answers: [failure(429, 'rate_limited', 23)] })
    await saver.save()
    saver.stop()
    expect(saver.state.phase).toBe('idle')
    expect(timers[0]?.isOff).toBe(true)
  })
})

describe('while nothing can be saved at all', () => {
  const away = failure(503, 'unavailable', 30)
  const message = away.message

  it('it is tried again and again, and why is said all the time', async () => {
    const answers = [away, away, pack({ updatedAt: later })]
    const { saver, sent, timers, kept, late, rename } = begin({ answers })
    await saver.save()
    for (const at of [0, 1]) {
      const wait = { until: 31_000, message }
      expect(saver.state).toEqual({ phase: 'waiting', ...wait })
      expect(timers[at]?.ms).toBe(30_000)
      rename(`Mug ${at}`)
      timers[at]?.goOn()
      expect(saver.state).toEqual({ phase: 'saving', waited: wait })
      await expect.poll(() => saver.state.phase).not.toBe('saving')
    }
    expect(sent.map(([{ name }]) => name)).toEqual(['Cup', 'Mug 0', 'Mug 1'])
    // Who has gone on meanwhile is not led away.
    expect([saver.state.phase, kept, late]).toEqual([
      'idle',
      [['q7Jm2_xT0a', true]],
      ['q7Jm2_xT0a'],
    ])
  })

  it('it is waited as long as is told, else a little, and longer each time until half a minute', async () => {
    const told = [30, null, null, 7, null, null, null, null, 0, null]
    const answers = told.map((seconds) => failure(503, 'unavailable', seconds))
    const { saver, timers } = begin({ answers })
    await saver.save()
    for (const at of told.keys()) {
      expect(saver.state.phase).toBe('waiting')
      const { ms, goOn } = timers[at]!
      if (told[at]) expect(ms).toBe(told[at] * 1000)
      else {
        const before = timers.slice(0, at).filter((_, each) => !told[each])
        const least = before.length === 0 ? 1_000 : Math.min(30_000, before.at(-1)!.ms * 2)
        expect(ms).toBeGreaterThanOrEqual(least)
        expect(ms).toBeLessThanOrEqual(30_000)
        if (before.length === 0) expect(ms).toBeLessThanOrEqual(2_000)
      }
      goOn()
      await expect.poll(() => saver.state.phase).not.toBe('saving')
    }
  })

  it('it ends when one does not want to wait, even during an attempt', async () => {
    const { saver, timers } = begin({ answers: [away, away] })
    await saver.save()
    timers[0]?.goOn()
    saver.stop()
    expect(saver.state).toEqual({ phase: 'saving', waited: null })
    await expect.poll(() => saver.state.phase).toBe('idle')
    expect(timers).toHaveLength(1)
  })

  it('what would be asked about is not saved by itself, if it was changed since (D-27)', async () => {
    const { saver, sent, timers, rename } = begin({ answers: [away, away], isSavedChanged: false })
    await saver.save()
    timers[0]?.goOn()
    await expect.poll(() => timers.length).toBe(2)
    rename('Mug')
    timers[1]?.goOn()
    expect([saver.state.phase, sent.length]).toEqual(['failed', 2])
  })
})

describe('a pack that was changed elsewhere', () => {
  const theirs = pack({ name: 'Theirs', updatedAt: later })
  const conflicting = async (more: Options = {}) => {
    const all = begin({ answers: [failure(409, 'conflict'), pack()], theirs, ...more })
    all.rename('Mine')
    await all.saver.save()
    return all
  }

  it('is shown, and nothing is overwritten', async () => {
    const { saver, store, sent } = await conflicting()
    expect(saver.state).toEqual({ phase: 'conflict', isAtStart: false })
    expect(store.stuck.value.map(({ changes }) => changes)).toEqual([
      [{ cell: 'field name', from: '"Cup"', to: '"Mine"' }],
    ])
    expect(saver.kept).toMatchObject({ edit: { name: 'Mine' }, base: { name: 'Cup' } })
    expect(sent.length).toBe(1)
  })

  it('gives way to mine when I say so', async () => {
    const { saver, sent } = await conflicting()
    await saver.keepMine()
    expect(sent[1]).toMatchObject([{ name: 'Mine' }, { updatedAt: later }])
    expect(saver.state.phase).toBe('saved')
  })

  it('takes the place of mine when I say so; an undo brings mine back', async () => {
    const { saver, store, sent } = await conflicting()
    saver.takeTheirs()
    expect(store.edit.name).toBe('Theirs')
    expect(saver.state.phase).toBe('idle')
    store.undo()
    expect(store.edit.name).toBe('Mine')
    await saver.save()
    expect(sent[1]?.[1]).toMatchObject({ updatedAt: later })
  })

  it('is my own save when only its answer was lost', async () => {
    const { saver, kept } = await conflicting({ theirs: pack({ name: 'Mine', updatedAt: later }) })
    expect(saver.state.phase).toBe('saved')
    expect(kept).toEqual([['q7Jm2_xT0a', true]])
  })

  it('may be gone by the time one looks', async () => {
    const { saver } = await conflicting({ theirs: failure(404, 'not_found') as never })
    expect(saver.state.phase).toBe('deleted')
  })

  it('is told at once where a draft has changed the same', async () => {
    const draft = { base: pack(), edit: pack({ name: 'Mine' }) }
    const { saver, store, sent } = begin({ saved: theirs, draft, answers: [pack()] })
    expect(saver.state).toEqual({ phase: 'conflict', isAtStart: true })
    await saver.keepMine()
    expect(sent).toEqual([])
    expect(store.edit.name).toBe('Mine')
    await saver.save()
    expect(sent[0]?.[1]).toMatchObject({ updatedAt: later })
  })

  it('is merged into a draft that has changed something else', () => {
    const draft = { base: pack(), edit: pack({ description: 'Mine' }) }
    const { saver, store } = begin({ saved: theirs, draft })
    expect(saver.state.phase).toBe('idle')
    expect(store.edit).toMatchObject({ name: 'Theirs', description: 'Mine' })
    expect(saver.merged.value).toEqual(['field name'])
  })

  it('is merged and saved where it has changed something else, and said', async () => {
    const slot = { mod: 'HD', index: 1, beatmapId: 76 }
    const other = pack({ slots: [...slots, slot], updatedAt: later })
    const saved = pack({ name: 'Mine', slots: other.slots, updatedAt: '2026-10-03T20:00:00.000Z' })
    const { saver, store, sent, kept } = await conflicting({
      answers: [failure(409, 'conflict'), saved],
      theirs: other,
    })
    expect(sent[1]).toMatchObject([{ name: 'Mine', slots: other.slots }, { updatedAt: later }])
    expect(saver.merged.value).toEqual(['slot HD 1'])
    expect([saver.state.phase, saver.isUnchanged.value]).toEqual(['idle', true])
    expect(kept).toEqual([['q7Jm2_xT0a', true]])
    store.undo()
    expect(store.edit).toMatchObject({ name: 'Cup', slots: other.slots })
    void saver.save()
    expect(saver.merged.value).toEqual([])
  })

  it('is said of all that was merged, where it was saved once more meanwhile', async () => {
    const once = pack({ description: 'Theirs', updatedAt: later })
    const twice = { ...once, visibility: 'public', updatedAt: '2026-10-03T20:00:00.000Z' } as const
    const { saver } = await conflicting({
      answers: [failure(409, 'conflict'), failure(409, 'conflict'), failure(500, 'internal_error')],
      theirs: [once, twice],
    })
    expect(saver.state.phase).toBe('failed')
    expect(saver.merged.value).toEqual(['field description', 'field visibility'])
  })

  it('is followed while nothing is being saved', async () => {
    const { saver, store, rename, sent } = begin({
      theirs: pack({ description: 'Theirs', updatedAt: later }),
    })
    const seen = () => editOf(pack())
    rename('Mine')
    expect(await saver.follow(seen)).toBe(false)
    expect(store.edit).toMatchObject({ name: 'Mine', description: 'Theirs' })
    expect(await saver.follow(seen)).toBe(true)
    expect([saver.state.phase, saver.saved?.updatedAt, sent]).toEqual(['idle', later, []])
    const busy = begin({ theirs, answers: [pack({ updatedAt: later })] })
    const saving = busy.saver.save()
    expect(await busy.saver.follow(seen)).toBeNull()
    await saving
    expect(busy.store.edit.name).toBe('Cup')
  })

  it('is asked about when it is followed and has changed the same', async () => {
    const { saver, rename } = begin({ theirs })
    rename('Mine')
    expect(await saver.follow(() => editOf(pack()))).toBe(false)
    expect(saver.state).toEqual({ phase: 'conflict', isAtStart: true })
  })

  it('is compared as it is sent: spaces around a text are no change', async () => {
    const lost = begin({ answers: [failure(409, 'conflict')], theirs: pack({ updatedAt: later }) })
    lost.rename(' Cup ')
    await lost.saver.save()
    expect([lost.saver.state.phase, lost.saver.merged.value]).toEqual(['saved', []])
    const typed = begin({ answers: [failure(409, 'conflict')], theirs })
    typed.rename('Cup ')
    await typed.saver.save()
    expect(typed.store.stuck.value).toEqual([])
    expect(typed.store.edit.name).toBe('Theirs')
  })

  it('fails a save that is refused although nothing was saved elsewhere', async () => {
    const { saver, sent } = await conflicting({ theirs: pack() })
    expect([saver.state.phase, sent.length]).toEqual(['failed', 1])
  })
})

/** What becomes of a save on its way. `under way`: it arrives when the page was loaded again. */
const fates = [
  'answered',
  'lost',
  'never arrived',
  'unavailable',
  'unavailable, but done',
  'under way',
] as const

/** A site that only this page writes to, over a connection that does as it is told. */
const openSite = (fate: () => (typeof fates)[number], canRead: () => boolean) => {
  const saved: string[] = []
  let now = pack()
  const timers: (() => void)[] = []
  let arrive = (): void => {}
  const write = ({ name }: PackInput, base: SitePack | null): void => {
    if (base?.updatedAt !== now.updatedAt) throw failure(409, 'conflict')
    saved.push(name)
    now = pack({ name, updatedAt: new Date(saved.length * 1000).toISOString() })
  }
  const open = (draft: Draft | 'none') => {
    const opening = openingOf(now, draft)
    const store = new EditStore(opening.edit)
    const deps = {
      send: async (input: PackInput, base: SitePack | null) => {
        const becomes = fate()
        if (becomes === 'under way') {
          arrive = () => write(input, base)
          return new Promise<SitePack>(() => {})
        }
        if (becomes === 'never arrived') throw unreachable('unknown')
        const away = { status: 503, outcome: 'unknown' } as const
        if (becomes === 'unavailable') throw new CallFailure('unavailable', 'Away.', away)
        write(input, base)
        if (becomes === 'lost') throw unreachable('unknown')
        if (becomes !== 'answered') throw new CallFailure('unavailable', 'Away.', away)
        return now
      },
      read: async () => {
        if (!canRead()) throw unreachable()
        return now
      },
      now: () => 1_000,
      later: (_: number, goOn: () => void) => {
        timers.push(goOn)
        return () => {}
      },
      isSavedChanged: () => true,
      onSaved: () => {},
    }
    return { store, saver: new Saver(store, now, opening.base, deps, opening.sent) }
  }
  let page = open('none')
  return {
    page: () => page,
    reload: (isFirst: boolean) => {
      const { saver } = page
      const kept = { ...saver.kept, basedOn: saver.saved!.updatedAt, changedAt: 1 }
      const come = (): void => {
        try {
          arrive()
        } catch {}
        arrive = () => {}
      }
      if (isFirst) come()
      page = open(saver.isUnchanged.value ? 'none' : readDraft(writeDraft(kept))!)
      come()
    },
    saved,
    timers,
  }
}

describe('a pack that nobody else saves', () => {
  it('is not said to be changed elsewhere, whatever answers are lost and pages are loaded again', async () => {
    const step = fc.record({
      name: fc.constantFrom('A', 'B', 'C', 'Cup', null),
      fate: fc.constantFrom(...fates),
      canRead: fc.boolean(),
      next: fc.option(fc.constantFrom('A', 'B', 'Cup')),
      reload: fc.option(fc.boolean()),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        let [fate, canRead]: [(typeof fates)[number], boolean] = ['answered', true]
        const { page, reload, saved, timers } = openSite(
          () => fate,
          () => canRead,
        )
        let name = 'Cup'
        const typed = (text: string): void => {
          name = text
          page().store.change('Rename', (edit) => ({ ...edit, name }))
        }
        const isQuiet = (): void => {
          const { state, merged } = page().saver
          expect(state.phase).not.toBe('conflict')
          expect(merged.value).toEqual([])
          expect(page().store.edit.name).toBe(name)
        }
        const settle = async (): Promise<void> => {
          const { saver } = page()
          if (saver.state.phase === 'waiting') timers.at(-1)!()
          else void saver.save()
          if (fate === 'under way') await new Promise(setImmediate)
          else await expect.poll(() => saver.state.phase).not.toBe('saving')
          isQuiet()
        }
        for (const each of steps) {
          ;({ fate, canRead } = each)
          if (each.name !== null) typed(each.name)
          // oxlint-disable-next-line no-await-in-loop -- one after the other
          await settle()
          if (page().saver.state.phase === 'saved') return
          if (each.next !== null) typed(each.next)
          const isUnderWay = page().saver.state.phase === 'saving'
          if (each.reload === null && !isUnderWay) continue
          reload(each.reload ?? false)
          isQuiet()
        }
        ;[fate, canRead] = ['answered', true]
        if (page().saver.isUnchanged.value) expect(saved.at(-1) ?? 'Cup').toBe(name)
        typed('Last')
        await settle()
        expect(saved.at(-1)).toBe('Last')
      }),
      { numRuns: 500 },
    )
  })
})
