import * as texts from '#texts/import'
import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { BucketMods } from '../../../contract/pools.ts'
import { type ChoiceId, HALF } from '../../../formats/import/questions.ts'
import type { LineCount } from '../../../formats/import/read-import.ts'
import { foldCode } from '../../../pool/slots.ts'
import { call } from '../../api.ts'
import { whenSeen } from '../../pool/beatmaps.ts'
import { type EvidenceDeps, ImportEvidence } from './import-evidence.ts'
import { ImportReader, LARGE, sizeOf } from './import-reader.ts'
import type { ImportRequest, ReadImport, ReadLines, ReadPool, Source } from './read-source.ts'

type Ground = Pick<ImportRequest, 'into' | 'isReplacing' | 'isOfRounds'>

/** A large text that changes while it is read is read again once one pauses to type. */
const PAUSE_MS = 150
/** What is read within this time shows no progress. */
const QUIET_MS = 200
const LARGEST_FILE = 64 * 1024 * 1024

type ImportDeps = EvidenceDeps & { readonly reader: Pick<ImportReader, 'read' | 'stop'> }

/** What is to be imported, a text or a file, what is decided about it, and how it is read with that. */
export class ImportState {
  readonly text = signal('')
  /** The file in place of the text. */
  readonly file = signal<{ readonly name: string; readonly bytes: Uint8Array } | null>(null)
  /** The choices by the keys of their questions; those of questions that are gone do no harm. */
  readonly answers = signal<ReadonlyMap<string, ChoiceId>>(new Map())
  readonly mods = signal<ReadonlyMap<string, BucketMods | null>>(new Map())
  /** The last one, of before the last change or without what was learnt last while `isPending`. */
  readonly read = signal<ReadImport | null>(null)
  readonly isPending = signal(false)
  /** Whether the person has changed something since what is shown was read. */
  readonly isBehind = signal(false)
  /** Whether it takes so long that the page should show it. */
  readonly isSlow = signal(false)
  /** Why the text or the file could not be read. */
  readonly problem = signal<{ readonly name: string | null; readonly reason: string } | null>(null)
  readonly source = computed((): Source | null => {
    if (this.file.value !== null) return { kind: 'file', ...this.file.value }
    return this.text.value.trim() === '' ? null : { kind: 'text', text: this.text.value }
  })
  /** How many beatmaps are looked up before anything of them is taken. */
  get looking(): ReadonlySignal<number> {
    return this.#evidence.looking
  }
  /** Of the beatmaps that were to be looked up, those of which nothing is known. */
  readonly missing = computed(() => {
    const { beatmapIds = [] } = this.read.value ?? {}
    return beatmapIds.filter((id) => !this.#evidence.known.value.has(id)).length
  })
  readonly #evidence: ImportEvidence
  /** The part that is to be taken although it is not all, and of what. */
  readonly #part = signal<{ readonly source: Source | null; readonly lines: LineCount } | null>(
    null,
  )
  readonly #tries = signal(0)
  readonly #deps: ImportDeps
  readonly #end: () => void
  #cancelWait = (): void => {}
  #cancelSlow = (): void => {}
  #generation = 0
  #asked: ImportRequest | null = null
  /** Of who waits for what is there to be read and looked up: called with whether it still is. */
  #waiting: ((isSame: boolean) => void) | null = null

  /**
   * @param ground what it is added to; null while nothing is to be read.
   * @param tournament whose staff share what is looked up.
   * @param deps those of a page, if they are left out.
   */
  constructor(ground: () => Ground | null, tournament?: string, deps = depsOf(tournament)) {
    this.#deps = deps
    this.#evidence = new ImportEvidence(deps, () => this.#finish())
    this.#end = effect(() => {
      const [source, answers, mods] = [this.source.value, this.answers.value, this.mods.value]
      const evidence = this.#evidence.known.value
      const place = ground()
      void this.#tries.value
      const isAsked = source !== null && place !== null
      this.#ask(isAsked ? { source, answers, mods, evidence, ...place } : null)
    })
  }

  /** Ends for good. */
  stop(): void {
    this.#end()
    this.#ask(null)
    this.#evidence.close()
  }

  /**
   * Resolves once what is there now has been read, and looked up as far as it is waited for; with null if that fails, or
   * if something is changed or decided before, or this is called again.
   */
  async whenRead(): Promise<ReadImport | null> {
    this.#drop()
    if (this.isPending.peek() || this.looking.peek() > 0) {
      const isSame = await new Promise<boolean>((done) => (this.#waiting = done))
      if (!isSame) return null
    }
    return this.problem.peek() === null ? this.read.peek() : null
  }

  answer(key: string, choice: ChoiceId): void {
    this.answers.value = new Map([...this.answers.value, [key, choice]])
  }

  /** Whether all of it was read, or the person wants the part that was (D-90). */
  isPartTaken(lines: LineCount): boolean {
    const part = this.#part.value
    const isSame = part?.source === this.source.value && isSameCount(part.lines, lines)
    // That question says how many lines were read, too.
    const half = this.read.value?.questions.find(({ id }) => id === HALF)
    return lines.refused === 0 || isSame || half?.answer === 'a'
  }

  takePart(lines: LineCount): void {
    this.#part.value = { source: this.source.peek(), lines }
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
    if (from.size > LARGEST_FILE) return refuse(texts.tooLargeFile)
    try {
      const bytes = new Uint8Array(await from.arrayBuffer())
      this.problem.value = null
      this.file.value = { name, bytes }
    } catch {
      refuse(texts.unopened)
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
    this.#cancelWait()
    const isSame = isSameRequest(request, this.#asked)
    this.#asked = request
    if (!isSame) this.#drop()
    if (request === null) {
      this.#deps.reader.stop()
      this.read.value = null
      this.#evidence.want([])
      if (this.problem.peek()?.name === null) this.problem.value = null
      return this.#settle()
    }
    if (!isSame) this.isBehind.value = true
    const isTyping = this.isPending.peek()
    if (!isTyping) {
      this.isPending.value = true
      this.#cancelSlow = this.#deps.after(QUIET_MS, () => (this.isSlow.value = true))
    }
    const generation = this.#generation
    if (!isTyping || sizeOf(request) <= LARGE) return void this.#send(request, generation)
    this.#cancelWait = this.#deps.after(PAUSE_MS, () => void this.#send(request, generation))
  }

  async #send(request: ImportRequest, generation: number): Promise<void> {
    const reply = await this.#deps.reader.read(request)
    if (reply === null || generation !== this.#generation) return
    if (reply.kind === 'text') return this.#takeText(reply.text)
    const isFile = request.source.kind === 'file'
    batch(() => {
      this.read.value = reply.kind === 'read' ? reply.read : null
      const isOfFile = !isFile && this.problem.peek()?.name != null
      if (reply.kind === 'refused') {
        const name = request.source.kind === 'file' ? request.source.name : null
        this.problem.value = { name, reason: reply.reason }
      } else if (!isOfFile) this.problem.value = null
      this.#evidence.want(reply.kind === 'read' ? reply.read.beatmapIds : [])
      if (reply.kind === 'refused' && isFile) this.file.value = null
    })
    // Unless it is read again already, with what has been learnt meanwhile.
    if (generation === this.#generation) this.#settle()
  }

  /** The file is of lines or rows, and is read as text by the change that this is. */
  #takeText(text: string): void {
    const waiting = this.#waiting
    this.#waiting = null
    batch(() => {
      const before = this.text.peek().trimEnd()
      this.text.value = before === '' ? text : `${before}\n${text}`
      this.file.value = null
    })
    this.#waiting = waiting
  }

  #settle(): void {
    this.#cancelSlow()
    this.isPending.value = false
    this.isBehind.value = false
    this.isSlow.value = false
    this.#finish()
  }

  #finish(): void {
    if (this.isPending.peek() || this.looking.peek() > 0) return
    this.#waiting?.(true)
    this.#waiting = null
  }

  #drop(): void {
    this.#waiting?.(false)
    this.#waiting = null
  }
}

function depsOf(tournament: string | undefined): ImportDeps {
  return {
    ask: (question, signal) => {
      const body = { ...question, ...(tournament !== undefined && { tournament }) }
      return call('lookAtBeatmaps', { body, signal })
    },
    later: whenSeen,
    after: (ms, then) => {
      const timer = setTimeout(then, ms)
      return () => clearTimeout(timer)
    },
    reader: new ImportReader(),
  }
}

/** Whether a person has changed nothing between two requests. */
function isSameRequest(a: ImportRequest | null, b: ImportRequest | null): boolean {
  const parts = ['source', 'answers', 'mods', 'isReplacing'] as const
  return parts.every((part) => a?.[part] === b?.[part])
}

const isSameCount = (a: LineCount, b: LineCount): boolean => a.read === b.read && a.of === b.of

/** Of several pools, and of what belongs to none. */
export function countAll(all: readonly ReadLines[]): LineCount {
  const sum = (of: (lines: LineCount) => number): number =>
    all.reduce((total, lines) => total + of(lines.count), 0)
  return {
    read: sum(({ read }) => read),
    refused: sum(({ refused }) => refused),
    of: sum((lines) => lines.of),
  }
}

/** How many questions are open: of the whole, and of these pools. */
export function openQuestions(read: ReadImport, pools: readonly ReadPool[]): number {
  const whole = read.questions.filter(({ lines, answer }) => lines.length === 0 && answer === null)
  return whole.length + new Set(pools.flatMap(({ open }) => open)).size
}
