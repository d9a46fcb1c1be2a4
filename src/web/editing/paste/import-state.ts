import { batch, computed, effect, signal } from '@preact/signals'
import type { BucketMods } from '../../../contract/pools.ts'
import type { ChoiceId } from '../../../formats/import/questions.ts'
import { foldCode } from '../../../pool/slots.ts'
import { ImportReader, LARGE, sizeOf } from './import-reader.ts'
import type { ImportRequest, ReadImport, ReadPool, Source } from './read-source.ts'

type Ground = Pick<ImportRequest, 'into' | 'isReplacing'>

/** A large text that changes while it is read is read again once one pauses to type. */
const PAUSE_MS = 150
/** What is read within this time shows no progress. */
const QUIET_MS = 200
const LARGEST_FILE = 64 * 1024 * 1024

/** What is to be imported, a text or a file, what is decided about it, and how it is read with that. */
export class ImportState {
  readonly text = signal('')
  /** The file in place of the text. */
  readonly file = signal<{ readonly name: string; readonly bytes: Uint8Array } | null>(null)
  /** The choices by the keys of their questions; those of questions that are gone do no harm. */
  readonly answers = signal<ReadonlyMap<string, ChoiceId>>(new Map())
  readonly mods = signal<ReadonlyMap<string, BucketMods | null>>(new Map())
  /** The last one, of before the last change while `isPending`. */
  readonly read = signal<ReadImport | null>(null)
  readonly isPending = signal(false)
  /** Whether it takes so long that it should be said. */
  readonly isSlow = signal(false)
  /** Why the text or the file could not be read. */
  readonly problem = signal<{ readonly name: string | null; readonly reason: string } | null>(null)
  readonly source = computed((): Source | null => {
    if (this.file.value !== null) return { kind: 'file', ...this.file.value }
    return this.text.value.trim() === '' ? null : { kind: 'text', text: this.text.value }
  })
  readonly #tries = signal(0)
  readonly #reader = new ImportReader()
  readonly #end: () => void
  #wait: ReturnType<typeof setTimeout> | undefined
  #slow: ReturnType<typeof setTimeout> | undefined
  #generation = 0
  #finished: (() => void)[] = []

  /** @param ground what it is added to; null while nothing is to be read. */
  constructor(ground: () => Ground | null) {
    this.#end = effect(() => {
      const [source, answers, mods] = [this.source.value, this.answers.value, this.mods.value]
      const place = ground()
      void this.#tries.value
      this.#ask(source === null || place === null ? null : { source, answers, mods, ...place })
    })
  }

  /** Ends for good. */
  stop(): void {
    this.#end()
    this.#ask(null)
  }

  /** Resolves once what is there now has been read. */
  async whenRead(): Promise<ReadImport | null> {
    if (this.isPending.peek()) await new Promise<void>((done) => this.#finished.push(done))
    return this.problem.peek() === null ? this.read.peek() : null
  }

  answer(key: string, choice: ChoiceId): void {
    this.answers.value = new Map([...this.answers.value, [key, choice]])
  }

  setMods(code: string, mods: BucketMods | null): void {
    this.mods.value = new Map([...this.mods.value, [foldCode(code), mods]])
  }

  /** Forgets everything but the text. */
  clear(text = ''): void {
    batch(() => {
      this.text.value = text
      this.file.value = null
      this.problem.value = null
      this.answers.value = new Map()
      this.mods.value = new Map()
    })
  }

  async open(from: File): Promise<void> {
    const { name } = from
    const refuse = (reason: string): void => {
      this.file.value = null
      this.problem.value = { name, reason }
    }
    if (from.size > LARGEST_FILE) return refuse('it is larger than 64 MB')
    try {
      const bytes = new Uint8Array(await from.arrayBuffer())
      this.problem.value = null
      this.file.value = { name, bytes }
    } catch {
      refuse('the browser could not open the file')
    }
  }

  closeFile(): void {
    this.problem.value = null
    this.file.value = null
  }

  retry(): void {
    this.#tries.value += 1
  }

  #ask(request: ImportRequest | null): void {
    this.#generation += 1
    clearTimeout(this.#wait)
    if (request === null) {
      this.#reader.stop()
      this.read.value = null
      if (this.problem.peek()?.name === null) this.problem.value = null
      return this.#settle()
    }
    const isTyping = this.isPending.peek()
    if (!isTyping) {
      this.isPending.value = true
      this.#slow = setTimeout(() => (this.isSlow.value = true), QUIET_MS)
    }
    const generation = this.#generation
    if (!isTyping || sizeOf(request) <= LARGE) return void this.#send(request, generation)
    this.#wait = setTimeout(() => void this.#send(request, generation), PAUSE_MS)
  }

  async #send(request: ImportRequest, generation: number): Promise<void> {
    const reply = await this.#reader.read(request)
    if (reply === null || generation !== this.#generation) return
    const { source } = request
    batch(() => {
      if (reply.kind === 'text') {
        // It is read as text by the change that this is.
        const before = this.text.peek().trimEnd()
        this.text.value = before === '' ? reply.text : `${before}\n${reply.text}`
        this.file.value = null
        return
      }
      const isFile = source.kind === 'file'
      this.read.value = reply.kind === 'read' ? reply.read : null
      const isOfFile = !isFile && this.problem.peek()?.name != null
      if (reply.kind === 'refused') {
        this.problem.value = { name: isFile ? source.name : null, reason: reply.reason }
      } else if (!isOfFile) this.problem.value = null
      if (reply.kind === 'refused' && isFile) this.file.value = null
      if (generation === this.#generation) this.#settle()
    })
  }

  #settle(): void {
    clearTimeout(this.#slow)
    this.isPending.value = false
    this.isSlow.value = false
    for (const done of this.#finished.splice(0)) done()
  }
}

/** How many questions are open: of the whole, and of these pools. */
export function openQuestions(read: ReadImport, pools: readonly ReadPool[]): number {
  const whole = read.questions.filter(({ lines, answer }) => lines.length === 0 && answer === null)
  return whole.length + new Set(pools.flatMap(({ open }) => open)).size
}
