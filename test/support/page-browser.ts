type Send = (url: string, init: RequestInit) => Promise<Response>

/** What a page needs of a browser, where time stands still and the network does what it is told. */
export class PageBrowser {
  /** `sessionStorage`. */
  readonly storage = new Map<string, string>()
  readonly #globals: PropertyDescriptorMap
  #timers = new Map<unknown, () => void>()
  #page = '/'
  #calls = 0

  /** @param viewer who looks at the page; modules that have read it from another page keep what they read there. */
  constructor(send: Send, viewer: object | null = null) {
    const { storage } = this
    const values = {
      fetch: (url: string, init: RequestInit) => {
        this.#calls += 1
        return send(url, init)
      },
      setTimeout: (then: () => void) => {
        const timer = {}
        this.#timers.set(timer, then)
        return timer
      },
      clearTimeout: (timer: unknown) => void this.#timers.delete(timer),
      sessionStorage: {
        getItem: (name: string) => storage.get(name) ?? null,
        setItem: (name: string, text: string) => storage.set(name, text),
        removeItem: (name: string) => storage.delete(name),
      },
      document: {
        hidden: false,
        activeElement: null,
        getElementById: () => ({ textContent: JSON.stringify({ viewer }), focus: () => {} }),
        addEventListener: () => {},
        removeEventListener: () => {},
      },
      history: {
        pushState: (_state: unknown, _title: string, url: string) => {
          this.#page = url
        },
      },
      addEventListener: () => {},
      requestAnimationFrame: () => 0,
      cancelAnimationFrame: () => {},
    }
    const location = () => ({ href: `http://site.test${this.#page}`, pathname: '/', search: '' })
    this.#globals = Object.fromEntries([
      ...Object.entries(values).map(
        ([name, value]) => [name, { value, configurable: true, writable: true }] as const,
      ),
      ['location', { get: location, configurable: true }] as const,
    ])
  }

  /** What was to be done later is due now. */
  elapse(): void {
    const due = [...this.#timers.values()]
    this.#timers.clear()
    for (const then of due) then()
  }

  /** Does something in the page, and all that follows from it without time and network. */
  async run(work: () => unknown): Promise<void> {
    const before = Object.keys(this.#globals).map(
      (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
    )
    Object.defineProperties(globalThis, this.#globals)
    try {
      work()
      let followed: number
      do {
        followed = this.#calls
        // More than it takes from one call to the next.
        for (let turn = 0; turn < 40; turn += 1) await Promise.resolve()
      } while (followed !== this.#calls)
    } finally {
      for (const [name, own] of before) {
        if (own === undefined) Reflect.deleteProperty(globalThis, name)
        else Object.defineProperty(globalThis, name, own)
      }
    }
  }
}
