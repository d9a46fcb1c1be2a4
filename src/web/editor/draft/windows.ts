/** A window that is reloaded may take a moment to release its own locks. */
const LOCK_WAIT_MS = 500

/** Holds a lock while the page is shown. Resolves to false when another window holds it. */
export function lock(name: string): Promise<boolean> {
  const { locks } = globalThis.navigator
  // Not given to sites without TLS; there, the warning of a shared draft must do.
  if (locks === undefined) return Promise.resolve(true)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const hold = (): Promise<unknown> => {
    resolve(true)
    addEventListener('pageshow', ({ persisted }) => persisted && void lock(name), { once: true })
    return new Promise((release) => addEventListener('pagehide', release, { once: true }))
  }
  const options = { signal: AbortSignal.timeout(LOCK_WAIT_MS) }
  locks.request(name, options, hold).catch(() => resolve(false))
  return promise
}

/** Those that have a draft open, each by a lock of its own. */
export function windowsOf(draft: string) {
  const prefix = `window:${draft}:`
  const own = prefix + randomId()
  void lock(own)
  let isWaiting = false
  return {
    /** Calls back once no other window has it open any more; never where locks are not given. */
    whenAlone: async (then: () => void): Promise<void> => {
      const { locks } = globalThis.navigator
      if (isWaiting || locks === undefined) return
      isWaiting = true
      for (;;) {
        const { held = [] } = await locks.query()
        const other = held.find(({ name }) => name?.startsWith(prefix) && name !== own)?.name
        if (other === undefined) break
        // Given when that window goes.
        await locks.request(other, () => {})
      }
      isWaiting = false
      then()
    },
  }
}

export function randomId(): string {
  return [...crypto.getRandomValues(new Uint32Array(2))].map((part) => part.toString(36)).join('')
}
