import { packInputOf } from '../../pool/pack-fields.ts'
import { useRef, useState } from 'preact/hooks'
import type { Pack } from '../../contract/packs.ts'
import { call } from '../api.ts'
import { later } from '../browser.ts'
import { now } from '../format.ts'
import { announce } from '../parts/toasts.tsx'
import { orLook } from '../lost-answers.ts'
import { CallFailure, isNotFound } from '../site-failure.ts'
import { type Order, orderWords } from './order.ts'

/** How far the work is. The packs that are left keep their order; the first of them is next. */
export type Run = {
  readonly order: Order
  readonly total: number
  readonly done: readonly Pack[]
  readonly left: readonly Pack[]
  /** Were refused, and left as they are. */
  readonly skipped: readonly Pack[]
  /** `waiting`: for the quota, until `until`. `stopped`: the next pack was refused, because of `error`. */
  readonly phase: 'working' | 'waiting' | 'stopped'
  readonly until: string
  readonly error: unknown
  /** It had to wait, so it is no longer a matter of a moment. */
  readonly hasWaited: boolean
}

type BulkDeps = {
  /**
   * Changes a pack on the site; resolves with the pack as it is then, null if it is not there any more.
   *
   * @param isAgain the pack was refused before, and may be another now.
   */
  readonly send: (order: Order, pack: Pack, isAgain: boolean) => Promise<Pack | null>
  /** Calls back after so many ms; returns a function that cancels it. */
  readonly later: (ms: number, then: () => void) => () => void
  /** In ms since 1970. */
  readonly now: () => number
  readonly onDone: (order: Order, pack: Pack, after: Pack | null) => void
  /** Called with what became of an order: all done, or cancelled with some left. */
  readonly onEnd: (run: Run) => void
  readonly onChange: () => void
}

/**
 * Changes packs one after the other, order after order. Waits where the quota says so (spec 8), and stops at
 * whatever else is refused, until `tryAgain`, `skip` or `cancel`.
 */
export class BulkWork {
  /** What is worked on; null when nothing is. */
  run: Run | null = null
  readonly #deps: BulkDeps
  #waiting: { order: Order; packs: readonly Pack[] }[] = []
  #cancelWait: () => void = () => {}
  #isCancelled = false

  constructor(deps: BulkDeps) {
    this.#deps = deps
  }

  add(order: Order, packs: readonly Pack[]): void {
    if (packs.length === 0) return
    this.#waiting.push({ order, packs })
    if (this.run === null) this.#next()
  }

  /** What is still to be deleted when the page is left, without what the page has reported as not deleted. */
  toDelete(): readonly Pack[] {
    const { run } = this
    const isGoingOn = run?.order.kind === 'delete' && run.phase !== 'stopped'
    const current = isGoingOn ? run.left : []
    return [
      ...current,
      ...this.#waiting.flatMap(({ order, packs }) => (order.kind === 'delete' ? packs : [])),
    ]
  }

  tryAgain(): void {
    if (this.run?.phase === 'stopped') void this.#work(true)
  }

  /** Leaves the pack that was refused as it is, and goes on with the next. */
  skip(): void {
    if (this.run?.phase !== 'stopped') return
    const { left, skipped } = this.run
    this.#show({ left: left.slice(1), skipped: [...skipped, ...left.slice(0, 1)] })
    void this.#work()
  }

  /** Leaves what is left as it is. A pack that is being sent is still changed. */
  cancel(): void {
    if (this.run?.phase === 'working') this.#isCancelled = true
    else this.#end()
  }

  #next(): void {
    const next = this.#waiting.shift()
    this.#isCancelled = false
    if (next === undefined) return
    const { order, packs } = next
    this.run = {
      order,
      total: packs.length,
      done: [],
      left: packs,
      skipped: [],
      phase: 'working',
      until: '',
      error: null,
      hasWaited: false,
    }
    void this.#work()
  }

  async #work(isAgain = false): Promise<void> {
    let again = isAgain
    this.#show({ phase: 'working', error: null })
    for (let pack = this.#first(); pack !== undefined; pack = this.#first()) {
      const { order } = this.run!
      try {
        const after = await this.#deps.send(order, pack, again)
        again = false
        this.#show({ done: [...this.run!.done, pack], left: this.run!.left.slice(1) })
        this.#deps.onDone(order, pack, after)
      } catch (error) {
        this.#refused(error)
        return
      }
    }
    this.#end()
  }

  #first(): Pack | undefined {
    return this.#isCancelled ? undefined : this.run?.left[0]
  }

  #refused(error: unknown): void {
    const isQuota = error instanceof CallFailure && error.status === 429
    if (this.#isCancelled) this.#end()
    else if (isQuota) {
      const ms = (error.retryAfter ?? LONGEST_WAIT) * 1000
      const until = new Date(this.#deps.now() + ms).toISOString()
      this.#cancelWait = this.#deps.later(ms, () => void this.#work())
      this.#show({ phase: 'waiting', until, hasWaited: true })
    } else this.#show({ phase: 'stopped', error })
  }

  #end(): void {
    this.#cancelWait()
    const { run } = this
    this.run = null
    if (run !== null) this.#deps.onEnd(run)
    this.#next()
    this.#deps.onChange()
  }

  #show(changes: Partial<Run>): void {
    if (this.run !== null) this.run = { ...this.run, ...changes }
    this.#deps.onChange()
  }
}

/** In seconds; the windows of all quotas of the site are at most this long. */
const LONGEST_WAIT = 60

/** The packs that are loaded, of how many. */
export type PackList = {
  readonly packs: readonly Pack[]
  readonly total: number
  readonly isWhole: boolean
}

type ChangeList = (by: (list: PackList) => PackList) => void

/** Orders over many packs, and the packs that are about to be deleted: they are in the list no more. */
export function useBulkWork(change: ChangeList, onEnd: (run: Run) => void) {
  const [, render] = useState({})
  const [leaving, setLeaving] = useState<ReadonlyMap<string, Pack>>(new Map())
  const saved = useRef<ReadonlyMap<string, Pack>>(new Map())
  const end = useRef(onEnd)
  end.current = onEnd

  const leave = (packs: readonly Pack[]): void =>
    setLeaving((before) => new Map([...before, ...packs.map((pack) => [pack.slug, pack] as const)]))
  const stay = (packs: readonly Pack[]): void =>
    setLeaving((before) => {
      const slugs = packs.map(({ slug }) => slug)
      return new Map([...before].filter(([slug]) => !slugs.includes(slug)))
    })
  const drop = (gone: Pack): void =>
    change((list) => ({
      ...list,
      packs: list.packs.filter(({ slug }) => slug !== gone.slug),
      total: list.total - 1,
    }))

  const [work] = useState(
    () =>
      new BulkWork({
        // A later order of the same packs begins from what an earlier one has saved.
        send: (order, pack, isAgain) => send(order, saved.current.get(pack.slug) ?? pack, isAgain),
        later,
        now,
        onDone: ({ kind }, pack, after) => {
          if (after === null) drop(pack)
          else saved.current = new Map([...saved.current, [pack.slug, after]])
          if (kind === 'delete') stay([pack])
        },
        onEnd: (run) => {
          if (run.order.kind === 'delete') stay([...run.left, ...run.skipped])
          change((list) => ({
            ...list,
            packs: list.packs.map((pack) => saved.current.get(pack.slug) ?? pack),
          }))
          const words = endWords(run)
          if (words !== '') announce(words)
          end.current(run)
        },
        onChange: () => render({}),
      }),
  )
  return {
    work,
    saved: saved.current,
    leaving,
    leave,
    stay,
  }
}

/** The outcome of an order; empty where it was announced before and has come true. */
function endWords({ order, total, done, hasWaited }: Run): string {
  const isAll = done.length === total
  if (order.kind === 'delete' && isAll && !hasWaited) return ''
  const { all, some } = orderWords(order)
  return isAll ? all({ n: total }) : some({ done: done.length, n: total })
}

async function send(order: Order, pack: Pack, isAgain: boolean): Promise<Pack | null> {
  const { slug } = pack
  if (order.kind === 'delete') {
    await call('deletePack', { slug, keepalive: true }).catch(unlessGone)
    return null
  }
  const reply = isAgain ? await call('getPack', { slug }).catch(unlessGone) : { pack }
  if (reply === null || reply.pack.visibility === order.to) return reply?.pack ?? null
  const edited = packInputOf({ ...reply.pack, visibility: order.to })
  const body = { pack: edited, basedOn: reply.pack.updatedAt }
  return orLook(
    async () => (await call('replacePack', { slug, body })).pack,
    async () => {
      const { pack: saved } = await call('getPack', { slug })
      return saved.visibility === order.to ? saved : null
    },
  )
}

function unlessGone(error: unknown): null {
  if (isNotFound(error)) return null
  throw error
}
