import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { WorkspaceEvent } from '../../src/contract/workspace.ts'
import { follow } from '../../src/web/tournament-edit/live.ts'

/** A site with one tournament: each stream tells the state at once, and whenever it changes. */
class Site {
  state = 0
  polls = 0
  readonly streams = new Set<Stream>()

  change(): void {
    this.state += 1
    for (const stream of this.streams) stream.tell()
  }
}

let site: Site
let page: EventTarget & { hidden?: boolean }
let frame: EventTarget

class Stream extends EventTarget {
  static readonly CLOSED = 2

  constructor() {
    super()
    site.streams.add(this)
    setTimeout(() => this.tell(), 0)
  }

  tell(): void {
    if (!site.streams.has(this)) return
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(site.state) }))
  }

  beat(): void {
    this.dispatchEvent(new Event('beat'))
  }

  close(): void {
    site.streams.delete(this)
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  site = new Site()
  page = Object.assign(new EventTarget(), { hidden: false })
  frame = new EventTarget()
  vi.stubGlobal('EventSource', Stream)
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', frame.addEventListener.bind(frame))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const look = (hidden: boolean): void => {
  if (page.hidden === hidden) return
  page.hidden = hidden
  page.dispatchEvent(new Event('visibilitychange'))
}
/** Time passes, with a beat on each stream every 15 s. */
const pass = async (seconds: number): Promise<void> => {
  for (let second = 1; second <= seconds; second += 1) {
    await vi.advanceTimersByTimeAsync(1_000)
    if (second % 15 === 0) for (const stream of site.streams) stream.beat()
  }
}
const followed = () => {
  const seen: number[] = []
  const stop = follow('/events', {
    onEvent: (event: WorkspaceEvent) => seen.push(Number(event)),
    poll: async () => {
      site.polls += 1
    },
    onBehind: () => {},
  })
  return { seen, stop }
}

type Act = 'hide' | 'show' | 'change' | 'online' | 'offline' | number

describe('a page that follows a tournament', () => {
  it('has one connection while it is seen and a while longer, none after that, and always catches up', async () => {
    const anyAct = fc.oneof(
      fc.constantFrom<Act>('hide', 'show', 'change', 'online', 'offline'),
      fc.constantFrom<Act>(1, 12, 29, 31, 90),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(anyAct, { maxLength: 12 }),
        async (isHidden, acts) => {
          site = new Site()
          page.hidden = isHidden
          const { seen, stop } = followed()
          /** For how long nobody has looked; never shown, it needs no connection. */
          let away = isHidden ? Infinity : 0
          for (const act of acts) {
            const before = [...site.streams]
            if (act === 'hide') look(true)
            else if (act === 'show') look(false)
            else if (act === 'change') site.change()
            else if (act === 'online' || act === 'offline') frame.dispatchEvent(new Event(act))
            else await pass(act)
            if (!page.hidden) away = 0
            else if (typeof act === 'number') away += act
            expect(site.streams.size, String(act)).toBe(away < 30 ? 1 : 0)
            // What is looked at again soon has kept its connection.
            if (act === 'show' && before.length > 0) expect([...site.streams]).toEqual(before)
            await vi.advanceTimersByTimeAsync(1)
            if (!page.hidden) expect(seen.at(-1)).toBe(site.state)
          }
          // Nothing is told twice but by a connection that begins.
          expect(seen).toEqual(seen.toSorted((a, b) => a - b))
          look(true)
          await pass(31)
          const [{ polls }, heard] = [site, seen.length]
          site.change()
          await pass(120)
          expect([site.polls, seen.length]).toEqual([polls, heard])
          stop()
          look(false)
          frame.dispatchEvent(new Event('online'))
          expect([site.streams.size, vi.getTimerCount()]).toEqual([0, 0])
        },
      ),
      { numRuns: 100 },
    )
  })
})
