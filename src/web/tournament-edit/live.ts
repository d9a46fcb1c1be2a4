import type { WorkspaceEvent } from '../../contract/workspace.ts'
import { listen } from '../browser.ts'
import { whenSeen } from '../pool/beatmaps.ts'
import type { CallFailure } from '../site-failure.ts'

/** How often the workspace is read while events do not come, and when these are tried again. */
const POLL_INTERVAL_MS = 2_000
const REOPEN_MS = 15_000
/** After how long without an event it is read meanwhile: some proxies hold events back. */
const FIRST_EVENT_MS = 5_000
/** After how long without an event or a beat, which comes every 15 s, the connection is dead. */
const DEAD_MS = 40_000
/** After how long out of sight a page has no connection: a browser has six to a site, for all of its pages. */
const HIDDEN_MS = 30_000
/** When to read again what could not be read. */
const RETRY_SECONDS = 3

type Handlers = {
  readonly onEvent: (event: WorkspaceEvent) => void
  /** Reads the same as an event has, while there are none. */
  readonly poll: () => Promise<unknown>
  /** Told why what the page shows may be old by now; null: it is not. */
  readonly onBehind: (failure: unknown) => void
}

/**
 * Follows a tournament while its page is seen: by server-sent events and, while they fail, by reading it every 2 s. The
 * first event brings what was missed. Returns a function that stops.
 */
export function follow(url: string, { onEvent, poll, onBehind }: Handlers): () => void {
  let source: EventSource | null = null
  let polling: ReturnType<typeof setTimeout> | undefined
  let reopening: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let hiding: ReturnType<typeof setTimeout> | undefined

  const stopPolling = (): void => {
    clearTimeout(polling)
    polling = undefined
  }
  const pollOn = async (): Promise<void> => {
    let failure: unknown = null
    if (!document.hidden) await poll().catch((error: unknown) => (failure = error))
    if (polling === undefined) return
    if (!document.hidden) onBehind(failure)
    polling = setTimeout(() => void pollOn(), isRefused(failure) ? REOPEN_MS : POLL_INTERVAL_MS)
  }
  const startPolling = (): void => {
    polling ??= setTimeout(() => void pollOn(), POLL_INTERVAL_MS)
  }
  const hear = (): void => {
    stopPolling()
    onBehind(null)
    clearTimeout(silence)
    silence = setTimeout(() => {
      startPolling()
      open()
    }, DEAD_MS)
  }
  const open = (): void => {
    source?.close()
    clearTimeout(reopening)
    clearTimeout(silence)
    silence = setTimeout(startPolling, FIRST_EVENT_MS)
    source = new EventSource(url)
    source.addEventListener('beat', hear)
    source.addEventListener('message', ({ data }) => {
      hear()
      onEvent(JSON.parse(String(data)) as WorkspaceEvent)
    })
    source.addEventListener('error', () => {
      startPolling()
      // A browser tries again by itself, unless it was refused.
      if (source?.readyState !== EventSource.CLOSED) return
      clearTimeout(reopening)
      reopening = setTimeout(open, REOPEN_MS)
    })
  }
  const close = (): void => {
    source?.close()
    source = null
    stopPolling()
    clearTimeout(reopening)
    clearTimeout(silence)
  }
  const look = (): void => {
    clearTimeout(hiding)
    if (document.hidden) hiding = setTimeout(close, HIDDEN_MS)
    else if (source === null) open()
  }
  look()
  document.addEventListener('visibilitychange', look)
  const stopListening = listen({
    online: () => source && open(),
    offline: () => source && startPolling(),
    // From the back/forward cache, the connection is gone.
    pageshow: ({ persisted }) => persisted && open(),
  })
  return () => {
    document.removeEventListener('visibilitychange', look)
    stopListening()
    clearTimeout(hiding)
    close()
  }
}

/** Whether asking again soon would be of no use. */
const isRefused = (failure: unknown): boolean =>
  [401, 403, 404].includes((failure as Partial<CallFailure> | null)?.status ?? 0)

/** Runs the work once at a time; a call while it runs makes it run once more, also where it fails. */
export function latest(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let isDue = false
  const run = async (): Promise<void> => {
    for (;;) {
      isDue = false
      try {
        await work()
        if (!isDue) return
      } catch (error) {
        if (!isDue) throw error
      }
    }
  }
  return () => {
    if (running !== null) isDue = true
    running ??= run().finally(() => (running = null))
    return running
  }
}

/** Runs works one after the other, also after one that fails. */
export function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const own = last.then(work)
    last = own.catch(() => {})
    return own
  }
}

/** Reads what others have changed; again, after a while, if that fails. Resolves to false if it is refused. */
export async function readAgain(read: () => Promise<unknown>): Promise<boolean> {
  for (;;) {
    try {
      await read()
      return true
    } catch (error) {
      if (isRefused(error)) return false
      const { retryAfter } = error as Partial<CallFailure>
      await new Promise<void>((resolve) => {
        whenSeen((retryAfter ?? RETRY_SECONDS) * 1000, resolve)
      })
    }
  }
}
