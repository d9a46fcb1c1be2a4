import { type Signal, signal } from '@preact/signals'
import { dropKept, keep, type KeptKey, readKept } from '../kept.ts'
import { readUnsaved, writeUnsaved } from './unsaved.ts'

export type TypedKey = KeptKey & `typed:${string}`

/** Longer texts are files, which are there to be opened again: writing one at each key would be slow. */
const LONGEST = 100_000

/**
 * What is typed into the fields of a pack, a round or a sheet and was neither taken nor sent. It stays when its field goes
 * and comes again, and over a reload.
 */
export class Typed {
  readonly #key: TypedKey
  readonly #texts: Map<string, Signal<string>>
  #written: string | null

  constructor(key: TypedKey) {
    this.#key = key
    this.#written = readKept(key)
    this.#texts = new Map()
    const kept = readUnsaved(this.#written ?? '', ({ texts }) => Object.entries(texts as object))
    for (const [name, text] of kept ?? []) if (typeof text === 'string') this.#make(name, text)
  }

  /** The text of a field, by a name that is its own. */
  text(name: string): Signal<string> {
    return this.#texts.get(name) ?? this.#make(name, '')
  }

  /** Forgets all: it was saved, or is not wanted. */
  clear(): void {
    for (const text of this.#texts.values()) text.value = ''
  }

  #make(name: string, text: string): Signal<string> {
    const made = signal(text)
    this.#texts.set(name, made)
    made.subscribe(() => this.#keep())
    return made
  }

  #keep(): void {
    const texts = [...this.#texts].flatMap(([name, { value }]) =>
      value.trim() === '' || value.length > LONGEST ? [] : [[name, value]],
    )
    const written = texts.length === 0 ? null : writeUnsaved({ texts: Object.fromEntries(texts) })
    if (written === this.#written) return
    this.#written = written
    // One that no longer holds would come back in place of this.
    if (written === null || !keep(this.#key, written)) dropKept(this.#key)
  }
}
