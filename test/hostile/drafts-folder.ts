import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { slotLabel } from '../../src/pool/slots.ts'
import type { Host } from '../support/house.ts'
import { runMapcrate } from '../support/run-mapcrate.ts'
import { envOf } from '../support/tournament-house.ts'
import { callOf } from './drafts-network.ts'
import {
  BEST_OF,
  type CellChange,
  type Cells,
  cellsOf,
  changesBetween,
  expectSame,
  merged,
  numbersIn,
  placeOf,
  rowsOf,
  withChanges,
} from './drafts-rules.ts'
import type { Service } from './drafts-service.ts'

type Index = { pulled: { rounds: { file: string; id: string }[] } }

/** What a file has of a round, and what it and the service had in common last. */
type Copy = { readonly own: Cells; readonly base: Cells }

/** The files that somebody pulls, edits and pushes with the real command line. */
export class Folder {
  readonly service: Service
  readonly person: Host
  readonly path: string
  /** By the ids of the rounds. */
  readonly #copies = new Map<string, Copy>()
  /** Files of rounds that were removed are kept, for when they are restored. */
  readonly #gone = new Map<string, Copy>()

  constructor(service: Service, person: Host, path: string) {
    this.service = service
    this.person = person
    this.path = path
  }

  get rounds(): string[] {
    return [...this.#copies.keys()]
  }

  cells = (id: string): Cells => this.#copies.get(id)!.own

  numbers(): Set<string> {
    const all = [...this.#copies.values(), ...this.#gone.values()]
    return numbersIn(all.flatMap(({ own }) => [...own.values()]))
  }

  /** Changes a cell in the file of a round. */
  async edit(id: string, change: Pick<CellChange, 'cell' | 'to'>): Promise<void> {
    const file = await this.#fileOf(id)
    const copy = this.#copies.get(id)!
    const own = withChanges(copy.own, [change])
    const draft = JSON.parse(await readFile(file, 'utf8')) as object
    const bestOf = Number(own.get(BEST_OF))
    await writeFile(file, JSON.stringify({ ...draft, bestOf, slots: rowsOf(own) }))
    this.#copies.set(id, { ...copy, own })
    this.service.ledger.did(this, changesBetween(copy.own, own))
  }

  /**
   * What was changed on the service alone comes into the files; what was changed on both sides stays, and is named.
   *
   * @param isForced the files become as the service.
   * @returns how many conflicts there are.
   */
  async pull(isForced = false): Promise<number> {
    const conflicts: CellChange[] = []
    for (const [id, copy] of this.#copies) {
      if (this.service.cells(id) !== undefined) continue
      this.#gone.set(id, copy)
      this.#copies.delete(id)
    }
    for (const { id, cells } of this.service.live) {
      const known = this.#copies.get(id) ?? this.#gone.get(id)
      this.#gone.delete(id)
      const { own, base } = known ?? { own: cells, base: cells }
      const found = merged(base, own, cells)
      if (!isForced) conflicts.push(...found.conflicts)
      const pulled = isForced ? cells : found.pulled
      if (isForced) this.service.ledger.did(this, changesBetween(own, cells))
      this.#copies.set(id, { own: pulled, base: merged(base, pulled, cells).agreed })
    }
    const found = await this.#run('pull', conflicts, [this.#slug, this.path], isForced)
    for (const [id, { own }] of this.#copies) {
      const file = JSON.parse(await readFile(await this.#fileOf(id), 'utf8'))
      expectSame(own, cellsOf(file), found)
    }
    return conflicts.length
  }

  /**
   * What was changed in the files alone goes to the service; what was changed on both sides stays, and is named.
   *
   * @param isForced the service becomes as the files.
   * @returns how many conflicts there are.
   */
  async push(isForced = false): Promise<number> {
    const conflicts: CellChange[] = []
    const wanted = new Map<string, Cells>()
    for (const { id, cells } of this.service.live) {
      const copy = this.#copies.get(id)
      const { pushed = cells, conflicts: open = [] } = copy
        ? merged(copy.base, copy.own, cells)
        : {}
      const mine = open.map(({ cell, from }) => ({ cell, to: from }))
      if (!isForced) conflicts.push(...open)
      wanted.set(id, isForced ? withChanges(pushed, mine) : pushed)
      this.service.ledger.did(this, changesBetween(cells, wanted.get(id)!))
    }
    const found = await this.#run('push', conflicts, [this.path, '--yes'], isForced)
    for (const [id, cells] of wanted) {
      expectSame(cells, this.service.cells(id)!, found)
      const copy = this.#copies.get(id)
      if (copy) this.#copies.set(id, { ...copy, base: merged(copy.base, copy.own, cells).agreed })
    }
    return conflicts.length
  }

  /** Decides what is open in one way: then nothing goes round in a circle, and both sides are the same. */
  async settle(isMine: boolean): Promise<void> {
    await this.push()
    if ((await this.pull()) > 0) await (isMine ? this.push(true) : this.pull(true))
    // What the file of a round has that was deleted, and came back with this pull, is not sent yet.
    await this.push()
    await this.pull()
    const before = this.service.live
    expect([await this.push(), await this.pull()]).toEqual([0, 0])
    expect(this.service.live).toEqual(before)
    for (const { id, cells } of before) expectSame(cells, this.cells(id))
  }

  get #slug(): string {
    return this.service.path.split('/').at(-1)!
  }

  async #fileOf(id: string): Promise<string> {
    const { pulled } = JSON.parse(
      await readFile(join(this.path, 'tournament.json'), 'utf8'),
    ) as Index
    return join(this.path, pulled.rounds.find((each) => each.id === id)!.file)
  }

  /** Runs a command, which is to name these conflicts of slots, each once, and no other ones. */
  async #run(
    command: string,
    conflicts: readonly CellChange[],
    args: readonly string[],
    isForced: boolean,
  ): Promise<string[]> {
    const { fetch } = globalThis
    globalThis.fetch = (target, init) => this.#send(target as string, init ?? {})
    const all = ['tournament', command, ...args, '--json', ...(isForced ? ['--force'] : [])]
    const ending = await runMapcrate(all, { env: envOf(this.person) }).finally(
      () => (globalThis.fetch = fetch),
    )
    expect(ending.stdout, ending.stderr).not.toBe('')
    const reported = (JSON.parse(ending.stdout) as { conflicts: string[] }).conflicts
    expect(ending.code, ending.stderr).toBe(reported.length > 0 ? 3 : 0)
    const labels = reported.flatMap(
      (text) => /: ([^:]+) was changed on both sides/.exec(text)?.[1] ?? [],
    )
    const wanted = conflicts.map(({ cell }) =>
      cell === BEST_OF ? 'Best of' : slotLabel(placeOf(cell)),
    )
    expect(labels.toSorted(), reported.join('\n')).toEqual(wanted.toSorted())
    return reported
  }

  async #send(url: string, init: RequestInit): Promise<Response> {
    const path = new URL(url).pathname.replace(`/api/v1${this.service.path}`, '')
    const call = callOf(path, init)
    const { reply } =
      call.method === 'GET'
        ? { reply: await this.service.send(this.person, call) }
        : await this.service.write(this.person, call)
    const etag = reply.headers.get('etag')
    return new Response(reply.status === 204 ? null : reply.text, {
      status: reply.status,
      headers: { 'content-type': 'application/json', ...(etag !== null && { etag }) },
    })
  }
}
