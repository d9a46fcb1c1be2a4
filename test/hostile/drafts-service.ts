import { expect } from 'vitest'
import type { Round } from '../../src/contract/rounds.ts'
import type { Workspace, WorkspaceEvent } from '../../src/contract/workspace.ts'
import type { Reply } from '../support/door.ts'
import type { Host, House } from '../support/house.ts'
import {
  type CellChange,
  cellOf,
  type Cells,
  cellsOf,
  changesBetween,
  Ledger,
  type Row,
} from './drafts-rules.ts'

/** A round as it is, or as it was when it was deleted. */
type RoundState = {
  readonly id: string
  readonly name: string
  readonly cells: Cells
  readonly updatedAt: string
  readonly isThere: boolean
}

/** A candidate or a remark. */
type Said = {
  readonly id: string
  readonly round: string
  readonly kind: 'candidates' | 'remarks'
  /** Null of one about the whole round. */
  readonly cell: string | null
  readonly text: string
}

export type Call = {
  readonly method: string
  /** Below that of the tournament: `/rounds/ID/slots`. */
  readonly path: string
  readonly body?: unknown
  readonly ifMatch?: string | null | undefined
}

/** The cell of a round itself. */
export const ROUND = 'round'

/** What a write has changed. */
export type RoundChange = CellChange & { readonly round: string }

/** The real service, and beside it what must be in it: what was there, but for what a write says. */
export class Service {
  readonly house: House
  readonly host: Host
  readonly path: string
  readonly ledger = new Ledger()
  readonly rounds = new Map<string, RoundState>()
  readonly said = new Map<string, Said>()

  constructor(house: House, host: Host, path: string) {
    this.house = house
    this.host = host
    this.path = path
  }

  get live(): RoundState[] {
    return [...this.rounds.values()].filter(({ isThere }) => isThere)
  }

  get deleted(): RoundState[] {
    return [...this.rounds.values()].filter(({ isThere }) => !isThere)
  }

  /** The cells of a round that is there. */
  cells(id: string): Cells | undefined {
    const round = this.rounds.get(id)
    return round?.isThere ? round.cells : undefined
  }

  /** Sends a call in another minute, as often as it takes: the limits are not what is tried. */
  async send(by: Host, { method, path, body, ifMatch }: Call): Promise<Reply> {
    const headers: Record<string, string> = ifMatch == null ? {} : { 'if-match': ifMatch }
    for (;;) {
      const reply = await by.ask(method, this.path + path, { body, headers })
      if (reply.status !== 429) return reply
      this.house.clock.nextMinute()
    }
  }

  async read(path: string, by = this.host) {
    const reply = await this.send(by, { method: 'GET', path })
    expect(reply.status, reply.text).toBe(200)
    return reply
  }

  /** Returns what a write has changed; one that is refused changes nothing. */
  async write(by: Host, call: Call): Promise<{ reply: Reply; changes: RoundChange[] }> {
    this.house.clock.advance(1_000)
    const reply = await this.send(by, call)
    const changes = await this.#learn()
    if (reply.status >= 300) expect(changes, reply.text).toEqual([])
    return { reply, changes }
  }

  /** Says something, moves it to another slot, or deletes it; each is a write that changes no slot. */
  async discuss(by: Host, method: string, one: Omit<Said, 'id'> & { id?: string }): Promise<void> {
    const { id = '', round, kind, cell, text } = one
    const [, mod, index] = cell?.split(' ') ?? []
    const body = {
      ...(cell !== null && { mod, index: Number(index) }),
      ...(kind === 'remarks' ? { text } : method === 'POST' && { beatmapId: Number(text) }),
    }
    const path = `/rounds/${round}/${kind}${id && `/${id}`}`
    const call = { method, path, ...(method !== 'DELETE' && { body }) }
    const { reply, changes } = await this.write(by, call)
    expect([reply.status < 300, changes], reply.text).toEqual([true, []])
    if (method === 'DELETE') return void this.said.delete(id)
    const made = (reply.json.candidate ?? reply.json.remark) as { id: string }
    this.said.set(made.id, { ...one, id: made.id })
  }

  readonly saidOf = (round: string): Said[] =>
    [...this.said.values()].filter((each) => each.round === round)

  /** What is said of a round, as a window reads it. */
  async discussion(round: string, by = this.host) {
    const [candidates, remarks] = await Promise.all(
      ['candidates', 'remarks'].map((kind) => this.read(`/rounds/${round}/${kind}`, by)),
    )
    return { candidates: candidates!.json.candidates, remarks: remarks!.json.remarks }
  }

  /** Nothing that was said is lost: it stays with its slot until somebody moves or deletes it (D-82, D-83). */
  async checkSaid(): Promise<void> {
    for (const { id } of this.live) {
      const { candidates, remarks } = await this.discussion(id)
      const found = [...candidates, ...remarks].map((each: Row & { id: string; text?: string }) => [
        each.id,
        each.index === undefined ? null : cellOf(each),
        String(each.text ?? each.beatmapId),
      ])
      const wanted = this.saidOf(id).map((each) => [each.id, each.cell, each.text])
      expect(new Set(found)).toEqual(new Set(wanted))
    }
    const { rounds } = (await this.read('/deleted-rounds')).json as { rounds: { id: string }[] }
    const ids = this.deleted.map(({ id }) => id)
    expect(rounds.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  }

  /** What a window reads. */
  async workspace(by: Host): Promise<Workspace> {
    const { tournament } = (await this.read('', by)).json
    return { tournament, isLimited: false, ...this.event() }
  }

  /** What a window is sent when something has changed. */
  event(): WorkspaceEvent {
    const rounds = Object.fromEntries(this.live.map(({ id, updatedAt }) => [id, updatedAt]))
    const discussion = Object.fromEntries(
      this.live.map(({ id }) => [id, JSON.stringify(this.saidOf(id))]),
    )
    const marks = { tournament: JSON.stringify(rounds), staff: '', rounds, discussion }
    return { marks, here: [] }
  }

  /** Reads the rounds, and returns what has changed; a round that is restored is as it was. */
  async #learn(): Promise<RoundChange[]> {
    const { rounds } = (await this.read('')).json.tournament as { rounds: Round[] }
    const now = new Map(rounds.map((round) => [round.id, round]))
    return [...new Set([...this.rounds.keys(), ...now.keys()])].flatMap((id) => {
      const [before, round] = [this.rounds.get(id), now.get(id)]
      const cells = round ? cellsOf(round) : before!.cells
      const name = round?.name ?? before!.name
      const updatedAt = round?.updatedAt ?? before!.updatedAt
      this.rounds.set(id, { id, name, cells, updatedAt, isThere: round !== undefined })
      const changes = changesBetween(before?.cells ?? cells, cells)
      const [was, is] = [before?.isThere === true, round !== undefined]
      if (was !== is) changes.push(is ? RESTORED : DELETED)
      return changes.map((change) => ({ ...change, round: id }))
    })
  }
}

export const DELETED: CellChange = { cell: ROUND, from: 'there', to: null }
export const RESTORED: CellChange = { cell: ROUND, from: null, to: 'there' }
