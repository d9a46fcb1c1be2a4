import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Round, RoundInput, SlotChanges } from '../../src/contract/rounds.ts'
import { completeBuckets, slotLabel, slotsInPoolOrder } from '../../src/pool/slots.ts'
import { addBucket } from '../../src/pool/edits.ts'
import { plainRoundSlot, slotContent } from '../../src/pool/round-fields.ts'
import { changesOf, mergeOf } from '../../src/web/tournament-edit/sheet-merge.tsx'
import { textOf } from '../../src/web/editing/changes.ts'
import { LaneActions } from '../../src/web/editing/lanes/board.ts'
import { withLayout } from '../../src/web/editing/lanes/lanes.ts'
import { RoundStore, type TaggedRound } from '../../src/web/tournament-edit/round-store.ts'
import { CallFailure, unreachable } from '../../src/web/site-failure.ts'

type SlotChange = SlotChanges['changes'][number]

const at = (label: string) => {
  const [, mod = '', index] = /^([A-Z]+)(\d+)$/.exec(label) ?? []
  return { mod, index: Number(index) }
}
const slot = (label: string, beatmapId?: number) => ({
  ...at(label),
  ...(beatmapId !== undefined && { beatmapId }),
})
const conflict = (status: number, code: CallFailure['code']) =>
  new CallFailure(code, 'NM1 changed meanwhile.', { status })

/** A round as the service keeps it: slots by compare and set, the whole by its tag (D-62). */
class Server {
  round: Round
  /** Somebody has deleted the round, which can be restored. */
  isDeleted = false
  /** Of every write; null: they are made. */
  refusal: CallFailure | null = null
  constructor(slots: Round['slots']) {
    const createdAt = '2026-11-01T10:00:00.000Z'
    this.round = { id: 'b3JkZXIgbX', name: 'Finals', slots, createdAt, updatedAt: createdAt }
  }

  read = (): TaggedRound => ({ round: this.round, tag: JSON.stringify(this.round) })

  changeSlots(changes: readonly SlotChange[]): TaggedRound {
    if (this.isDeleted) throw conflict(404, 'not_found')
    if (this.refusal !== null) throw this.refusal
    const slots = [...this.round.slots]
    for (const { mod, index, from, to } of changes) {
      const place = slots.findIndex((each) => each.mod === mod && each.index === index)
      if (textOf(slotContent(slots[place])) !== textOf(from)) throw conflict(409, 'conflict')
      if (to === 'none') slots.splice(place, 1)
      else slots[place < 0 ? slots.length : place] = { mod, index, ...to }
    }
    return this.#save({ ...this.round, slots })
  }

  replace({ slots = [], ...input }: RoundInput, tag: string): TaggedRound {
    if (tag !== this.read().tag) throw conflict(412, 'precondition_failed')
    const { id, createdAt, updatedAt } = this.round
    return this.#save({ id, createdAt, updatedAt, ...input, slots: [...slots] })
  }

  shown = (): string[] =>
    slotsInPoolOrder({ ...this.round, buckets: completeBuckets(this.round.buckets ?? [], []) }).map(
      (each) => `${slotLabel(each)} ${each.beatmapId ?? each.placeholder ?? '-'}`,
    )

  #save(round: Round): TaggedRound {
    const updatedAt = new Date(Date.parse(this.round.updatedAt) + 1000).toISOString()
    this.round = JSON.parse(JSON.stringify({ ...round, updatedAt })) as Round
    return this.read()
  }
}

/** Lets everything happen that waits for nothing but promises. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve()
}

/** A person with the page open; requests reach the server, and answers the page, when told to. */
class Person {
  readonly store: RoundStore
  readonly actions: LaneActions
  readonly #server: Server
  /** Requests on their way, and answers. */
  readonly sent: (() => void)[] = []
  readonly answers: ((isLost: boolean) => void)[] = []
  timers: (() => void)[] = []
  /** For how long each of them was to wait. */
  readonly waits: number[] = []

  constructor(server: Server) {
    this.#server = server
    this.store = new RoundStore(server.read(), {
      changeSlots: (changes) => this.#call(() => server.changeSlots(changes)),
      replace: (input, tag) => this.#call(() => server.replace(input, tag)),
      read: () => this.#call(server.read),
      later: (ms, then) => {
        this.waits.push(ms)
        this.timers.push(then)
        return () => void (this.timers = this.timers.filter((timer) => timer !== then))
      },
    })
    this.actions = new LaneActions(this.store)
  }

  #call(work: () => TaggedRound): Promise<TaggedRound> {
    const { promise, resolve, reject } = Promise.withResolvers<TaggedRound>()
    this.sent.push(() => {
      let answer: () => void
      try {
        const result = work()
        answer = () => resolve(result)
      } catch (error) {
        answer = () => reject(error)
      }
      this.answers.push((isLost) => (isLost ? reject(unreachable()) : answer()))
    })
    return promise
  }

  fill(label: string, beatmapId: number): void {
    const key = this.keyOf(label)
    if (key !== undefined) this.actions.exchange(key, { beatmapId })
  }

  remove(label: string): void {
    const key = this.keyOf(label)
    this.store.change(`remove ${label}`, (edit) => ({
      ...edit,
      slots: edit.slots.filter((each) => each.key !== key),
    }))
  }

  addBucket(code: string): void {
    this.store.change(`add bucket ${code}`, (edit) => withLayout(edit, addBucket(edit, code)))
  }

  keyOf(label: string): number | undefined {
    return this.store.slots.find((each) => slotLabel(each) === label)?.key
  }

  shown = (): string[] =>
    slotsInPoolOrder(this.store).map(
      (each) => `${slotLabel(each)} ${each.beatmapId ?? each.placeholder ?? '-'}`,
    )

  follow(): void {
    this.store.merge(this.#server.read())
  }

  async step(): Promise<boolean> {
    const next = this.answers.shift()
    if (next !== undefined) next(false)
    else if (this.sent.length > 0) this.sent.shift()!()
    else if (this.timers.length > 0) this.timers.shift()!()
    else return false
    await settle()
    return true
  }

  async finish(): Promise<void> {
    for (let steps = 0; await this.step(); steps += 1) if (steps > 500) throw new Error('no end')
  }
}

const valueOf = (round: { readonly slots: readonly { readonly beatmapId?: number }[] }) =>
  round.slots[0]?.beatmapId ?? null

type Act = number | 'remove' | 'delete' | 'restore' | 'step' | 'keep mine' | 'take theirs'
const anyAct = fc.oneof(
  fc.constantFrom<Act>(1, 2, 3, 'remove', 'delete', 'restore', 'keep mine', 'take theirs'),
  fc.constant<Act>('step'),
)

const open = (...slots: Round['slots']) => {
  const server = new Server(slots)
  return { server, ada: new Person(server), bo: new Person(server) }
}

describe('PATCH …/slots from the workspace (D-62)', () => {
  it('shows a change at once, and sends it with what was seen', async () => {
    const { server, ada } = open(slot('NM1', 1), slot('NM2'))
    ada.fill('NM2', 7)
    expect(ada.shown()).toEqual(['NM1 1', 'NM2 7'])
    expect(ada.store.state.phase).toBe('saving')
    await ada.finish()
    expect(server.shown()).toEqual(['NM1 1', 'NM2 7'])
    expect(ada.store.state.phase).toBe('saved')
  })

  it('lets two people change different slots of one round', async () => {
    const { server, ada, bo } = open(slot('NM1', 1), slot('NM2', 2), slot('NM3', 3))
    ada.fill('NM1', 11)
    bo.actions.step(bo.keyOf('NM2')!, 1)
    await ada.finish()
    await bo.finish()
    expect(server.shown()).toEqual(['NM1 11', 'NM2 3', 'NM3 2'])
    expect([...ada.store.stuck.value, ...bo.store.stuck.value]).toEqual([])
    ada.follow()
    expect(ada.shown()).toEqual(server.shown())
  })

  it('keeps both of two beatmaps for one slot until somebody decides', async () => {
    const { server, ada, bo } = open(slot('NM1', 1))
    ada.fill('NM1', 11)
    bo.fill('NM1', 22)
    await ada.finish()
    await bo.finish()
    expect(server.shown()).toEqual(['NM1 11'])
    expect(bo.shown()).toEqual(['NM1 11'])
    const [stuck] = bo.store.stuck.value
    expect(stuck?.changes).toEqual([expect.objectContaining({ to: '{"beatmapId":22}' })])
    bo.store.keepMine(stuck!)
    await bo.finish()
    expect(server.shown()).toEqual(['NM1 22'])
    expect(bo.store.stuck.value).toEqual([])
  })

  it('shows what is on its way until the site has answered', async () => {
    const { server, ada, bo } = open(slot('NM1', 1))
    ada.fill('NM1', 11)
    bo.fill('NM1', 22)
    await bo.finish()
    ada.follow()
    expect([ada.shown(), ada.store.stuck.value]).toEqual([['NM1 11'], []])
    await ada.finish()
    expect([ada.shown(), ada.store.stuck.value.length]).toEqual([['NM1 22'], 1])
    expect(server.shown()).toEqual(['NM1 22'])
  })

  it('loses nothing that waits for a decision to what was done before it', async () => {
    const { ada, bo } = open(slot('NM1', 1))
    ada.fill('NM1', 11)
    // A sheet that was read against the saved round, not against what is on its way.
    const row = { cell: 'slot NM 1', from: '{"beatmapId":1}', to: '{"beatmapId":12}' }
    ada.store.take('paste a sheet', [row])
    bo.fill('NM1', 22)
    await bo.finish()
    await ada.finish()
    const wanted = ada.store.stuck.value.flatMap(({ changes }) => changes.map(({ to }) => to))
    expect(new Set(wanted)).toEqual(new Set(['{"beatmapId":11}', '{"beatmapId":12}']))
  })

  it('saves of one action what nobody has changed, and keeps the rest until somebody decides', async () => {
    const { server, ada, bo } = open(slot('NM1', 1), slot('NM2', 2), slot('NM3', 3))
    const row = (index: number) => ({
      cell: `slot NM ${index}`,
      from: `{"beatmapId":${index}}`,
      to: `{"beatmapId":${index}1}`,
    })
    ada.store.take('paste a sheet', [row(1), row(2), row(3)])
    bo.fill('NM2', 22)
    bo.fill('NM3', 31)
    await bo.finish()
    await ada.finish()
    expect(server.shown()).toEqual(['NM1 11', 'NM2 22', 'NM3 31'])
    expect(ada.store.stuck.value).toMatchObject([{ changes: [row(2)], message: null }])
    // An undo of what was saved, while somebody changes the same.
    ada.store.takeTheirs(...ada.store.stuck.value)
    ada.store.undo()
    expect(ada.store.undo()).toMatchObject({ label: 'paste a sheet' })
    await ada.finish()
    expect(server.shown()[0]).toBe('NM1 1')
  })

  it('takes back all of an action of which the answer was lost, but what was changed since', async () => {
    const { server, ada, bo } = open(slot('NM1', 1))
    const added = { cell: 'slot NM 2', from: null, to: '{}' }
    const changed = { cell: 'slot NM 1', from: '{"beatmapId":1}', to: '{"beatmapId":11}' }
    ada.store.take('paste a sheet', [changed, added])
    ada.store.undo()
    ada.sent.shift()!()
    bo.follow()
    bo.fill('NM1', 22)
    await bo.finish()
    ada.answers.shift()!(true)
    await settle()
    await ada.finish()
    expect(server.shown()).toEqual(['NM1 22'])
    expect(ada.store.stuck.value).toEqual([])
  })

  it('cancels nothing that waits for a decision by what was done before it', async () => {
    const { server, ada, bo } = open(slot('NM1', 7))
    ada.fill('NM1', 11)
    await ada.finish()
    bo.follow()
    ada.store.undo()
    // A sheet that was read while the slot held what it did at first, and is changed meanwhile.
    const row = { cell: 'slot NM 1', from: '{"beatmapId":1}', to: '{"beatmapId":11}' }
    ada.store.take('paste a sheet', [row])
    bo.fill('NM1', 22)
    await bo.finish()
    await ada.finish()
    const wanted = ada.store.stuck.value.flatMap(({ changes }) => changes.map(({ to }) => to))
    expect(wanted).toEqual(['{"beatmapId":7}', '{"beatmapId":11}'])
    // It is the same for the next page.
    const again = new Person(server)
    again.store.restore(JSON.parse(JSON.stringify(ada.store.unsaved.toReversed())))
    expect(again.store.stuck.value.map(({ label }) => label)).toEqual(
      ada.store.stuck.value.map(({ label }) => label),
    )
  })

  it('keeps what waits for a decision until it is saved, not while it is only shown', async () => {
    const { ada, bo } = open(slot('NM1', 1))
    ada.fill('NM1', 11)
    ada.fill('NM1', 12)
    ada.store.undo()
    bo.fill('NM1', 12)
    await bo.finish()
    // The first one is refused; the second is as it is on the site, so that its undo shows 11 again.
    for (let step = 0; step < 4; step += 1) await ada.step()
    expect(ada.shown()).toEqual(['NM1 11'])
    bo.fill('NM1', 13)
    await bo.finish()
    await ada.finish()
    expect(ada.shown()).toEqual(['NM1 13'])
    const changes = [{ cell: 'slot NM 1', from: '{"beatmapId":1}', to: '{"beatmapId":11}' }]
    expect(ada.store.stuck.value).toMatchObject([{ changes }])
  })

  it('keeps what waits for a decision while what is saved is to be changed again', async () => {
    const { server, ada } = open(slot('NM1', 1))
    ada.fill('NM1', 11)
    ada.fill('NM1', 12)
    const row = { cell: 'slot NM 1', from: '{"beatmapId":7}', to: '{"beatmapId":11}' }
    ada.store.take('paste a sheet', [row])
    await ada.finish()
    expect(server.shown()).toEqual(['NM1 12'])
    expect(ada.store.stuck.value).toMatchObject([{ changes: [row] }])
  })

  it('has what the person wanted last of a slot saved, or waiting for their decision, however often the round is deleted', async () => {
    const property = fc.asyncProperty(
      fc.array(anyAct, { maxLength: 30, size: 'max' }),
      async (acts) => {
        const { server, ada } = open()
        const { store } = ada
        let wanted: number | null = null
        for (const act of acts) {
          const waiting = store.stuck.value
          if (act === 'delete' || act === 'restore') server.isDeleted = act === 'delete'
          else if (act === 'step') await ada.step()
          else if (act === 'keep mine' && waiting.length > 0) store.keepMine(...waiting)
          else if (act === 'take theirs' && waiting.length > 0) store.takeTheirs(...waiting)
          else if (act === 'remove') ada.remove('NM1')
          else if (typeof act === 'number') {
            store.change('put it there', (edit) => {
              const slots = [{ mod: 'NM', index: 1, beatmapId: act }]
              return withLayout(edit, { buckets: [], slots })
            })
          }
          if (!['delete', 'restore', 'step'].includes(String(act))) wanted = valueOf(store)
        }
        await ada.finish()
        const kept = store.stuck.value.flatMap(({ changes }) => changes.map(({ to }) => to))
        const values = kept.map((to) => (to === null ? null : JSON.parse(to).beatmapId))
        expect([valueOf(server.round), ...values]).toContain(wanted)
      },
    )
    await fc.assert(property, { numRuns: 1000 })
  })

  it('joins what was done after something that is stuck', async () => {
    const { ada, bo } = open(slot('NM1', 1))
    ada.fill('NM1', 11)
    ada.fill('NM1', 12)
    bo.fill('NM1', 22)
    await bo.finish()
    await ada.finish()
    const changes = [{ cell: 'slot NM 1', from: '{"beatmapId":1}', to: '{"beatmapId":12}' }]
    expect(ada.store.stuck.value).toMatchObject([{ changes }])
  })

  it('finds the conflict of a field that was open while the slot changed', async () => {
    const { server, ada, bo } = open(slot('NM1', 1))
    ada.fill('NM1', 11)
    await ada.finish()
    bo.follow()
    const change = { cell: 'slot NM 1', from: '{"beatmapId":1}', to: '{"beatmapId":22}' }
    bo.store.set('change the beatmap of NM1', change)
    expect(bo.shown()).toEqual(['NM1 11'])
    expect(bo.store.stuck.value).toHaveLength(1)
    bo.store.takeTheirs(bo.store.stuck.value[0]!)
    await bo.finish()
    expect(server.shown()).toEqual(['NM1 11'])
  })

  it('undoes its own last change alone, and not over a later one of somebody else', async () => {
    const { server, ada, bo } = open(slot('NM1', 1), slot('NM2', 2))
    ada.fill('NM1', 11)
    await ada.finish()
    bo.follow()
    bo.fill('NM2', 22)
    await bo.finish()
    ada.follow()
    expect(ada.store.undo()).toMatchObject({ label: 'change the beatmap of NM1', isDone: true })
    await ada.finish()
    expect(server.shown()).toEqual(['NM1 1', 'NM2 22'])
    bo.follow()
    bo.fill('NM1', 33)
    await bo.finish()
    ada.follow()
    expect(ada.store.redo()).toMatchObject({ isNothing: true, kept: ['NM1'] })
    await ada.finish()
    expect(server.shown()).toEqual(['NM1 33', 'NM2 22'])
  })

  it('keeps changes while the site cannot be reached, and makes each of them once', async () => {
    const { server, ada } = open(slot('NM1', 1))
    ada.fill('NM1', 11)
    ada.actions.add('HD', { beatmapId: 5 })
    ada.sent.shift()!()
    ada.answers.shift()!(true)
    await settle()
    expect(ada.store.state).toMatchObject({ phase: 'waiting', failure: { code: 'unreachable' } })
    expect(ada.shown()).toEqual(['NM1 11', 'HD1 5'])
    await ada.finish()
    expect(server.shown()).toEqual(['NM1 11', 'HD1 5'])
    expect(ada.store.stuck.value).toEqual([])
  })

  it('keeps changes while nothing may be changed, says why all the time, and makes each of them once', async () => {
    const { server, ada, bo } = open(slot('NM1', 1))
    const refusal = new CallFailure('unavailable', 'We move.', { status: 503, retryAfter: 30 })
    server.refusal = refusal
    ada.fill('NM1', 11)
    // Sending, refused, waiting; and again.
    for (let tries = 0; tries < 2; tries += 1) {
      await ada.step()
      await ada.step()
      expect(ada.store.state).toEqual({ phase: 'waiting', failure: refusal })
      ada.actions.add('HD', { beatmapId: 5 + tries })
      await ada.step()
      expect(ada.store.state).toEqual({ phase: 'saving', failure: refusal })
    }
    expect(ada.waits).toEqual([30_000, 30_000])
    bo.follow()
    ada.follow()
    expect(server.shown()).toEqual(['NM1 1'])
    expect(ada.shown()).toEqual(['NM1 11', 'HD1 5', 'HD2 6'])
    server.refusal = null
    await ada.finish()
    expect(server.shown()).toEqual(['NM1 11', 'HD1 5', 'HD2 6'])
    expect([ada.store.state, ada.store.stuck.value]).toEqual([{ phase: 'saved' }, []])
    ada.fill('NM1', 12)
    expect(ada.store.state).toEqual({ phase: 'saving', failure: null })
  })
})

describe('what an earlier page could not save', () => {
  it('is done again; what somebody else has changed since is shown with theirs', async () => {
    const { server, ada, bo } = open(slot('NM1', 1), slot('NM2', 2))
    ada.fill('NM1', 11)
    ada.fill('NM2', 22)
    const { unsaved } = ada.store
    bo.fill('NM2', 33)
    await bo.finish()
    const again = new Person(server)
    again.store.restore(JSON.parse(JSON.stringify(unsaved)))
    await again.finish()
    expect(server.shown()).toEqual(['NM1 11', 'NM2 33'])
    expect(again.store.unsaved).toMatchObject([{ changes: [{ to: '{"beatmapId":22}' }] }])
    expect(again.store.state.phase).toBe('saved')
  })
})

describe('PUT …/rounds/{round} from the workspace (D-62)', () => {
  it('is made again on top of what somebody else has changed meanwhile (412)', async () => {
    const { server, ada, bo } = open(slot('NM1', 1), slot('NM2', 2))
    ada.fill('NM1', 11)
    bo.remove('NM2')
    await ada.finish()
    await bo.finish()
    expect(server.shown()).toEqual(['NM1 11'])
    expect(bo.store.stuck.value).toEqual([])
  })

  it('does not remove a slot that somebody else has filled anew', async () => {
    const { server, ada, bo } = open(slot('NM1', 1), slot('NM2', 2))
    ada.fill('NM2', 22)
    bo.remove('NM2')
    await ada.finish()
    await bo.finish()
    expect(server.shown()).toEqual(['NM1 1', 'NM2 22'])
    expect(bo.store.stuck.value).toHaveLength(1)
  })

  it('joins the buckets that two people add', async () => {
    const { server, ada, bo } = open(slot('NM1', 1))
    ada.addBucket('RC')
    bo.addBucket('EX')
    await ada.finish()
    await bo.finish()
    const codes = server.round.buckets?.map(({ code }) => code)
    expect(codes).toEqual(['NM', 'HD', 'HR', 'DT', 'FM', 'EX', 'RC', 'TB'])
  })
})

describe('any interleaving of two people', () => {
  const label = fc.constantFrom('NM1', 'NM2', 'NM3', 'HD1', 'HD2')
  const step = fc.record({
    who: fc.constantFrom(0, 1),
    kind: fc.constantFrom(
      ...(['fill', 'fill', 'fill', 'move', 'remove', 'add', 'undo', 'redo', 'lose'] as const),
      ...(['work', 'work', 'work', 'work', 'follow', 'mine', 'theirs'] as const),
      ...(['look', 'sheet', 'sheet'] as const),
    ),
    label,
    by: fc.constantFrom(-1 as const, 1 as const),
  })

  it('loses no beatmap that nobody has seen go, and no slot by a sheet (D-62, D-83)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const first = [slot('NM1', 1), slot('NM2', 2), slot('NM3'), slot('HD1', 4)]
        const { server, ada, bo } = open(...first)
        const people = [ada, bo]
        let fresh = 100
        const entered = new Set([1, 2, 4])
        const seenToGo = new Set<number>()
        const seen = new Map<Person, Person['store']['slots']>()
        const idsOf = (person: Person): number[] =>
          person.store.slots.flatMap(({ beatmapId }) => beatmapId ?? [])
        const stuckIds = (person: Person): number[] =>
          person.store.stuck.value.flatMap(({ changes }) =>
            changes.flatMap(({ from, to }) => idsIn(from, to)),
          )
        for (const { who, kind, label: name, by } of steps) {
          const person = people[who]!
          const before = [...idsOf(person), ...stuckIds(person)]
          const key = person.keyOf(name)
          if (kind === 'fill' && key !== undefined) {
            entered.add((fresh += 1))
            person.fill(name, fresh)
          } else if (kind === 'add') {
            entered.add((fresh += 1))
            person.actions.add(name.slice(0, 2), { beatmapId: fresh })
          } else if (kind === 'move' && key !== undefined) person.actions.step(key, by)
          else if (kind === 'remove' && key !== undefined) person.remove(name)
          else if (kind === 'undo') person.store.undo()
          else if (kind === 'redo') person.store.redo()
          else if (kind === 'follow') person.follow()
          else if (kind === 'lose') person.answers.shift()?.(true)
          else if (kind === 'work') await person.step()
          else if (kind === 'look') seen.set(person, person.store.slots)
          else if (kind === 'sheet') {
            // Made of what its author has seen, which may be old.
            const shown = seen.get(person) ?? person.store.slots
            entered.add((fresh += 1))
            const rows = [slot(name, fresh), { ...slot('NM1'), placeholder: 'TBA' }, slot('HD2')]
            const unique = rows.filter(
              (row, at) => rows.findIndex((each) => slotLabel(each) === slotLabel(row)) === at,
            )
            const sheet = { name: '', slots: unique, buckets: [], newBuckets: [], unread: [] }
            const before = { slots: shown.map(plainRoundSlot) }
            const merge = mergeOf(before, { round: sheet, roundFields: {} }, new Map(), true)
            const labels = person.store.slots.map(slotLabel)
            person.store.take('paste a sheet', changesOf(merge, {}, []))
            const after = new Set(person.store.slots.map(slotLabel))
            expect(labels.filter((each) => !after.has(each))).toEqual([])
          } else if (kind === 'mine' || kind === 'theirs') {
            const [stuck] = person.store.stuck.value
            if (stuck !== undefined && kind === 'mine') person.store.keepMine(stuck)
            else if (stuck !== undefined) person.store.takeTheirs(stuck)
          }
          // Only what the person does themselves may take away what they see.
          const isOwn = !['follow', 'lose', 'work'].includes(kind)
          const after = new Set([...idsOf(person), ...stuckIds(person)])
          if (isOwn) for (const id of before) if (!after.has(id)) seenToGo.add(id)
          await settle()
        }
        await ada.finish()
        await bo.finish()
        for (const person of people) {
          person.follow()
          expect(person.store.state.phase).toBe('saved')
          expect(person.shown()).toEqual(server.shown())
        }
        const kept = new Set([
          ...server.round.slots.flatMap(({ beatmapId }) => beatmapId ?? []),
          ...people.flatMap(stuckIds),
        ])
        const lost = [...entered].filter((id) => !kept.has(id) && !seenToGo.has(id))
        expect(lost).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })
})

function idsIn(...values: readonly (string | null)[]): number[] {
  return values.flatMap((value) => {
    const held = JSON.parse(value ?? '{}') as { beatmapId?: number }
    return held.beatmapId ?? []
  })
}
