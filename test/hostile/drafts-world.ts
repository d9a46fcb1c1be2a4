import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import type { Host } from '../support/house.ts'
import type { openTournamentHouse } from '../support/tournament-house.ts'
import { codes, edits, Editor, MOST_SLOTS, pick } from './drafts-editor.ts'
import { Folder } from './drafts-folder.ts'
import {
  BEST_OF,
  cellOf,
  cellsOf,
  changesBetween,
  numbersIn,
  placeOf,
  type Row,
  slotCells,
  textOf,
} from './drafts-rules.ts'
import { DELETED, RESTORED, Service } from './drafts-service.ts'
import { Window } from './drafts-window.ts'

/** What may happen, and how often each is drawn. */
const weights = {
  ...edits,
  undo: 12,
  redo: 4,
  deliver: 18,
  answer: 18,
  lose: 3,
  resume: 4,
  follow: 8,
  delete: 3,
  restore: 5,
  say: 8,
  moveSaid: 2,
  unsay: 1,
  editFile: 8,
  pull: 3,
  push: 5,
  settle: 1,
} as const
type Kind = keyof typeof weights

/** The numbers choose who, where and what. */
type Step = {
  readonly kind: Kind
  readonly who: number
  readonly round: number
  readonly at: number
  readonly what: number
}

const kinds = Object.entries(weights).flatMap(([kind, n]) => Array<Kind>(n).fill(kind as Kind))
export const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...kinds),
  who: fc.nat(5),
  round: fc.nat(5),
  at: fc.nat(41),
  what: fc.nat(41),
})

type People = Awaited<ReturnType<typeof openTournamentHouse>>

/** Ada and Ben, each with a window, and Cas with a folder, draft two rounds. */
export class World {
  readonly service: Service
  readonly windows: readonly Window[]
  readonly folder: Folder
  readonly #people: readonly Host[]
  readonly #editors: readonly Editor[]

  static async open(people: People): Promise<World> {
    const { house, host, pooler, stranger } = people
    house.clock.nextMinute()
    const body = { name: 'Harbour Lights Cup', shortName: 'HLC' }
    const { tournament } = (await host.ask('POST', '/tournaments', { body })).json
    const service = new Service(house, host, `/tournaments/${tournament.slug}`)
    for (const { gameId } of [pooler, stranger]) {
      const call = { method: 'PUT', path: `/staff/${gameId}`, body: { role: 'pooler' } }
      expect((await service.send(host, call)).status).toBe(200)
    }
    const world = new World(service, people, await mkdtemp(join(tmpdir(), 'mapcrate-')))
    for (const name of ['Quarterfinals', 'Finals']) {
      const places = ['slot NM 1', 'slot NM 2', 'slot HD 1', 'slot TB 1']
      const slots = places.map((cell, at) => ({ ...placeOf(cell), ...world.#filling(at + 1) }))
      const cells = cellsOf({ slots })
      service.ledger.did(world, changesBetween(new Map(), cells))
      const call = { method: 'POST', path: '/rounds', body: { name, bestOf: 9, slots } }
      await service.write(host, call)
    }
    for (const window of world.windows) await window.open()
    await world.folder.pull()
    return world
  }

  constructor(service: Service, { host, pooler, stranger }: People, path: string) {
    this.service = service
    this.#people = [host, pooler, stranger]
    this.windows = [new Window(service, host), new Window(service, pooler)]
    this.folder = new Folder(service, stranger, path)
    this.#editors = this.windows.map((window) => new Editor(window, this.#filling))
  }

  async close(): Promise<void> {
    const ifMatch = (await this.service.read('')).headers.get('etag')
    await this.service.send(this.service.host, { method: 'DELETE', path: '', ifMatch })
    await rm(this.folder.path, { recursive: true, force: true })
  }

  async take(step: Step): Promise<void> {
    await this.#take(step)
    this.#checkNumbers()
  }

  /** When nobody does anything any more, all have the same. */
  async settle(isMine: boolean): Promise<void> {
    await this.#settleWindows()
    await this.folder.settle(isMine)
    await this.#settleWindows()
    for (const window of this.windows) window.check()
    await this.service.checkSaid()
    this.#checkNumbers()
  }

  /** What one window sends late is seen by the other. */
  async #settleWindows(): Promise<void> {
    let before = ''
    for (let passes = 0; ; passes += 1) {
      const now = JSON.stringify(this.service.event().marks)
      if (now === before) return
      expect(passes).toBeLessThan(10)
      before = now
      for (const window of this.windows) await window.settle()
    }
  }

  #checkNumbers(): void {
    const { service } = this
    const drafts = [...service.rounds.values()].flatMap(({ cells }) => [...cells.values()])
    const all = [...this.windows, this.folder].flatMap((each) => [...each.numbers()])
    service.ledger.check(new Set([...numbersIn(drafts), ...all]))
  }

  async #take(step: Step): Promise<void> {
    const { kind, who, what } = step
    const window = this.windows[who % 2]!
    if (kind === 'deliver') return window.deliver(false)
    if (kind === 'answer') return window.answer(false)
    if (kind === 'lose') return what % 2 === 0 ? window.deliver(true) : window.answer(true)
    if (kind === 'resume') return window.resume()
    if (kind === 'follow') return window.follow()
    if (kind === 'undo' || kind === 'redo') return window.turn(kind)
    if (kind === 'pull') return void (await this.folder.pull())
    if (kind === 'push') return void (await this.folder.push())
    if (kind === 'editFile') return this.#editFile(step)
    if (kind === 'settle') return this.settle(what % 2 === 0)
    if (kind === 'delete' || kind === 'restore') return this.#changeRounds(step)
    if (kind === 'say' || kind === 'moveSaid' || kind === 'unsay') return this.#discuss(step)
    const model = await window.choose(pick(this.service.live, step.round)!.id)
    if (model !== undefined) await this.#editors[who % 2]!.edit(kind, model, step)
  }

  /** What somebody puts into a slot: mostly something that nobody has entered before. */
  readonly #filling = (what: number): Omit<Row, 'mod' | 'index'> => {
    if (what % 7 === 6) return {}
    const number = this.service.ledger.fresh()
    return what % 3 === 0 ? { placeholder: `map ${number}` } : { beatmapId: number }
  }

  async #editFile({ round, at, what }: Step): Promise<void> {
    const id = pick(this.folder.rounds, round)
    if (id === undefined) return
    if (what % 6 === 0) {
      return this.folder.edit(id, { cell: BEST_OF, to: String(7 + 2 * (at % 4)) })
    }
    const cells = slotCells(this.folder.cells(id))
    const isNew = what % 6 === 1 && cells.length < MOST_SLOTS
    const cell = isNew ? cellOf({ mod: pick(codes, at)!, index: 1 + (at % 7) }) : pick(cells, at)
    if (cell === undefined) return
    const to = what % 6 === 2 ? null : textOf(this.#filling(what))
    await this.folder.edit(id, { cell, to })
  }

  /** A deleted round is restored as it was, with all that was said of it; there is always one. */
  async #changeRounds({ kind, round }: Step): Promise<void> {
    const { live, deleted, host } = this.service
    const isRestored = kind === 'restore'
    const id = pick(isRestored ? deleted : live, round)?.id
    if (id === undefined || (!isRestored && live.length < 2)) return
    const call = isRestored
      ? { method: 'POST', path: `/deleted-rounds/${id}/restore` }
      : { method: 'DELETE', path: `/rounds/${id}` }
    const tag = isRestored ? null : (await this.service.read(`/rounds/${id}`)).headers.get('etag')
    const { changes } = await this.service.write(host, { ...call, ifMatch: tag })
    expect(changes).toEqual([{ ...(isRestored ? RESTORED : DELETED), round: id }])
    await this.service.checkSaid()
  }

  async #discuss({ kind, who, round, at, what }: Step): Promise<void> {
    const { id, cells } = pick(this.service.live, round)!
    const cell = pick(slotCells(cells), at) ?? null
    const entry = pick(this.service.saidOf(id), what)
    if (kind === 'unsay') return entry && this.service.discuss(this.service.host, 'DELETE', entry)
    if (kind === 'moveSaid') {
      const isFull = this.#candidatesAt(id, cell) > 7
      if (entry?.cell == null || cell === null || isFull) return
      return this.service.discuss(this.service.host, 'PATCH', { ...entry, cell })
    }
    const text = `${this.service.ledger.fresh()}`
    const isCandidate = what % 2 === 0 && cell !== null && this.#candidatesAt(id, cell) < 8
    const one = isCandidate
      ? { kind: 'candidates' as const, cell, text }
      : { kind: 'remarks' as const, cell: at % 3 === 0 ? null : cell, text: `Remark ${text}` }
    await this.service.discuss(pick(this.#people, who)!, 'POST', { ...one, round: id })
  }

  #candidatesAt = (round: string, cell: string | null): number =>
    this.service.saidOf(round).filter((each) => each.kind === 'candidates' && each.cell === cell)
      .length
}
