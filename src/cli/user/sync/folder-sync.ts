import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { MapcrateError } from '../../../client/errors.ts'
import { newIdempotencyKey } from '../../../client/request.ts'
import type { Pack } from '../../../contract/packs.ts'
import { writeCsv, writeTsv } from '../../../formats/write-table.ts'
import type { Service } from '../connect.ts'
import { lookUp } from '../look-up.ts'
import { contentOf, packJson } from '../pack-content.ts'
import { poolOf } from '../pool-of.ts'
import type { Surroundings } from '../surroundings.ts'
import { Trouble } from '../trouble.ts'
import { writeWhole } from '../write-file.ts'
import { bytesPrint, packPrint } from './fingerprint.ts'
import { readSyncFile, type SyncFile } from './folder.ts'
import type { Step } from './plan.ts'
import { type Begun, type SyncState, writeState } from './sync-state.ts'

/** The service remembers the name of a creation for a day. */
const REMEMBERED_MS = 23 * 3_600_000

const printOf = (pack: Pack): string => packPrint(contentOf(pack))

/** A folder and the packs of an account; what is done is noted at once, so that it can be cut off anywhere. */
export class FolderSync {
  readonly #folder: string
  readonly #service: Service
  readonly #around: Surroundings
  state: SyncState

  constructor(folder: string, service: Service, around: Surroundings, state: SyncState) {
    this.#folder = folder
    this.#service = service
    this.#around = around
    this.state = state
  }

  /** Ends a creation that an earlier sync was cut off in; says of which file. */
  async finishBegun(): Promise<string | null> {
    const { begun } = this.state
    if (begun === null) return null
    // By then files and packs that are alike find each other without it.
    if (this.#around.now() - begun.at > REMEMBERED_MS) await this.#keep({ begun: null })
    else await this.#create(begun)
    return begun.name
  }

  /** Does one step, unless what it was planned for is no more. */
  async take(step: Step): Promise<void> {
    switch (step.action) {
      case 'create': {
        const { name, file, input } = step
        await this.#checkFile(name, file)
        const at = this.#around.now()
        const begun = { name, file: file.print, idempotencyKey: newIdempotencyKey(), input, at }
        await this.#keep({ begun })
        return this.#create(begun)
      }
      case 'replace': {
        const { name, file, pack, input } = step
        await this.#checkFile(name, file)
        const { client } = this.#service
        const saved = await unlessChanged(client.replacePack(pack.slug, input, { ifMatch: pack }))
        return this.#pair(name, file.print, saved)
      }
      case 'write': {
        const { name, file, pack } = step
        const text = await this.#textFor(name, pack)
        await this.#checkFile(name, file)
        await writeWhole(join(this.#folder, name), text)
        return this.#pair(name, bytesPrint(Buffer.from(text)), pack)
      }
      case 'note':
        return this.#pair(step.name, step.file.print, step.pack)
      case 'delete pack':
        await unlessChanged(this.#service.client.deletePack(step.pack.slug, { ifMatch: step.pack }))
        return this.#forget(step.name)
      case 'delete file':
        await this.#checkGone(step.slug ?? '')
        await this.#checkFile(step.name, step.file)
        await rm(join(this.#folder, step.name))
        return this.#forget(step.name)
      case 'forget':
        return this.#forget(step.name)
      default:
    }
  }

  async #create(begun: Begun): Promise<void> {
    const { name, file, input, idempotencyKey } = begun
    try {
      const pack = await this.#service.client.createPack(input, { idempotencyKey })
      await this.#pair(name, file, pack)
    } catch (error) {
      // It was refused: there is nothing to send again.
      const isRefused =
        error instanceof MapcrateError && ['bad_request', 'conflict'].includes(error.code)
      if (isRefused) await this.#keep({ begun: null })
      throw error
    }
  }

  async #textFor(name: string, pack: Pack): Promise<string> {
    const write = /\.csv$/i.test(name) ? writeCsv : /\.tsv$/i.test(name) ? writeTsv : null
    if (write === null) return packJson(contentOf(pack))
    const pool = poolOf(pack)
    const { bySlot } = await lookUp(this.#service.site, pack.slug, pool, this.#around)
    return write(pool, bySlot)
  }

  async #checkFile(name: string, planned: SyncFile | null): Promise<void> {
    const now = await readSyncFile(this.#folder, name)
    if (now?.print !== planned?.print) throw changed('file')
  }

  /** That a list does not hold a pack is too little to delete its file for. */
  async #checkGone(slug: string): Promise<void> {
    try {
      await this.#service.client.getPack(slug)
    } catch (error) {
      if (error instanceof MapcrateError && error.code === 'not_found') return
      throw error
    }
    throw changed('pack')
  }

  #pair(name: string, file: string, pack: Pack): Promise<void> {
    const pair = { slug: pack.slug, file, pack: printOf(pack) }
    return this.#keep({ pairs: { ...this.state.pairs, [name]: pair }, begun: null })
  }

  #forget(name: string): Promise<void> {
    const { [name]: _, ...pairs } = this.state.pairs
    return this.#keep({ pairs })
  }

  async #keep(change: Partial<SyncState>): Promise<void> {
    const state = { ...this.state, ...change }
    await writeState(this.#folder, state)
    this.state = state
  }
}

/** What becomes of a write that goes ahead only if the pack is as the plan found it. */
const unlessChanged = async <T>(write: PromiseLike<T>): Promise<T> => {
  try {
    return await write
  } catch (error) {
    const isChanged = error instanceof MapcrateError && error.code === 'precondition_failed'
    throw isChanged ? changed('pack') : error
  }
}

const changed = (side: 'file' | 'pack'): Trouble =>
  new Trouble(`the ${side} has changed since the plan was made; sync once more`)
