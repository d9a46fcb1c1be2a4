import { batch, computed, effect, signal } from '@preact/signals'
import type { BucketMods } from '../../../contract/pools.ts'
import { type ChoiceId, HALF } from '../../../formats/import/questions.ts'
import type { Evidence, LookedUp } from '../../../formats/import/evidence.ts'
import type { LineCount } from '../../../formats/import/read-import.ts'
import { foldCode } from '../../../pool/slots.ts'
import { call } from '../../api.ts'
import { count } from '../../format.ts'
import { BeatmapLookup, type ModdedBeatmap, whenSeen } from '../../pool/beatmaps.ts'
import { ImportReader, LARGE, sizeOf } from './import-reader.ts'
import type { ImportRequest, ReadImport, ReadLines, ReadPool, Source } from './read-source.ts'

type Ground = Pick<ImportRequest, 'into' | 'isReplacing' | 'isOfRounds'>

/** A large text that changes while it is read is read again once one pauses to type. */
const PAUSE_MS = 150
/** What is read within this time shows no progress. */
const QUIET_MS = 200
const LARGEST_FILE = 64 * 1024 * 1024
/** Ids that are being typed are no beatmaps yet. */
const TYPED_MS = 300
/** Nothing waits longer for beatmaps to be looked up (D-90). */
const LONGEST_LOOK_MS = 5_000

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
  /** How many beatmaps are looked up before anything of them is taken. */
  readonly looking = signal(0)
  /** Of the beatmaps that were to be looked up, those of which nothing is known. */
  readonly missing = computed(() => {
    const { beatmapIds = [] } = this.read.value ?? {}
    return beatmapIds.filter((id) => !this.#evidence.value.has(id)).length
  })
  readonly #evidence = signal<Evidence>(new Map())
  readonly #lookup: BeatmapLookup
  /** Those that were waited for once. */
  readonly #awaited = new Set<number>()
  #looks = 0
  #look: ReturnType<typeof setTimeout> | undefined
  /** The part that is to be taken although it is not all, and of what. */
  readonly #part = signal<{ readonly source: Source | null; readonly words: string } | null>(null)
  readonly #tries = signal(0)
  readonly #reader = new ImportReader()
  readonly #end: () => void
  #wait: ReturnType<typeof setTimeout> | undefined
  #slow: ReturnType<typeof setTimeout> | undefined
  #generation = 0
  #finished: (() => void)[] = []

  /**
   * @param ground what it is added to; null while nothing is to be read.
   * @param tournament whose staff share what is looked up.
   */
  constructor(ground: () => Ground | null, tournament?: string) {
    this.#lookup = new BeatmapLookup({
      ask: (question, signal) => {
        const body = { ...question, ...(tournament !== undefined && { tournament }) }
        return call('lookAtBeatmaps', { body, signal })
      },
      later: whenSeen,
      onChange: () => {
        if (this.looking.peek() === 0) this.#learn()
      },
    })
    this.#end = effect(() => {
      const [source, answers, mods] = [this.source.value, this.answers.value, this.mods.value]
      const evidence = this.#evidence.value
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
    this.#lookup.close()
  }

  /** Resolves once what is there now has been read, and looked up as far as it is waited for. */
  async whenRead(): Promise<ReadImport | null> {
    if (this.isPending.peek() || this.looking.peek() > 0)
      await new Promise<void>((done) => this.#finished.push(done))
    return this.problem.peek() === null ? this.read.peek() : null
  }

  answer(key: string, choice: ChoiceId): void {
    this.answers.value = new Map([...this.answers.value, [key, choice]])
  }

  /** Whether all of it was read, or the person wants the part that was (D-90). */
  isPartTaken(lines: LineCount): boolean {
    const part = this.#part.value
    const isSame = part?.source === this.source.value && part.words === wordsOf(lines)
    // That question says how many lines were read, too.
    const half = this.read.value?.questions.find(({ id }) => id === HALF)
    return lines.refused === 0 || isSame || half?.answer === 'a'
  }

  takePart(lines: LineCount): void {
    this.#part.value = { source: this.source.peek(), words: wordsOf(lines) }
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
      this.#lookUp([])
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
      this.#lookUp(reply.kind === 'read' ? reply.read.beatmapIds : [])
      if (reply.kind === 'refused' && isFile) this.file.value = null
      if (generation === this.#generation) this.#settle()
    })
  }

  #settle(): void {
    clearTimeout(this.#slow)
    this.isPending.value = false
    this.isSlow.value = false
    this.#finish()
  }

  #finish(): void {
    if (this.isPending.peek() || this.looking.peek() > 0) return
    for (const done of this.#finished.splice(0)) done()
  }

  /** Looks up what is new among these, which is waited for, and goes on with what is not known yet. */
  #lookUp(ids: readonly number[]): void {
    clearTimeout(this.#look)
    this.#looks += 1
    const looks = this.#looks
    const fresh = ids.filter((id) => !this.#awaited.has(id))
    this.looking.value = fresh.length
    if (fresh.length === 0) return this.#lookup.want(ids.map(plainUse))
    const end = (): void => {
      if (looks !== this.#looks) return
      clearTimeout(this.#look)
      for (const id of fresh) this.#awaited.add(id)
      batch(() => {
        this.looking.value = 0
        this.#learn()
      })
      this.#finish()
    }
    this.#look = setTimeout(() => {
      this.#look = setTimeout(end, LONGEST_LOOK_MS)
      this.#lookup.want(ids.map(plainUse))
      void this.#lookup.asked().then(end)
    }, TYPED_MS)
  }

  /** What is newly known is read with. */
  #learn(): void {
    const before = this.#evidence.peek()
    const { beatmapIds = [] } = this.read.peek() ?? {}
    const learnt = beatmapIds.flatMap((id): [number, LookedUp][] => {
      const view = this.#lookup.view(plainUse(id))
      if (before.has(id) || view.state === 'pending') return []
      if (view.state === 'gone') return [[id, 'gone']]
      return [[id, { ruleset: view.details.ruleset, stars: view.details.stars }]]
    })
    if (learnt.length > 0) this.#evidence.value = new Map([...before, ...learnt])
  }
}

const plainUse = (id: number): ModdedBeatmap => ({ id, mods: [] })

/** `34 of 85 lines`. */
export const wordsOf = ({ read, of }: LineCount): string => `${read} of ${count(of, 'line')}`

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
