import { statSync } from 'node:fs'

/** What the bundler tells of a module. */
type Module = {
  readonly code: string | null
  readonly importedIds: readonly string[]
  readonly dynamicallyImportedIds: readonly string[]
}
type Graph = { readonly getModuleInfo: (id: string) => Module | null }

/** Modules that are in one file. */
type Chunk = {
  readonly modules: readonly string[]
  readonly isStyle: boolean
  /** In bytes of source, as all sizes here: what the bundler makes of it is not known yet. */
  readonly size: number
  /** What loads it: pages, and parts of pages that are loaded when they are shown. */
  loaders: ReadonlySet<string>
}

/**
 * To spare a page one of so many requests is worth as many times this in bytes that are loaded without need: the more
 * requests a page has, the dearer each is.
 */
const REQUEST = 1_600
/** No page loads more than this share of what it needs without need: fewer files compress better by about as much. */
const WASTE = 0.28
/** So much does a part count, beside a page. */
const PART = 0.05

/**
 * Names the file that each module goes into; null: what the bundler decides. Modules of the same pages are put
 * together, and more than these where the requests that it spares are worth what is loaded without need.
 */
export const pageChunks = (pages: readonly string[]) => {
  let names: ReadonlyMap<string, string> | null = null
  return (id: string, graph: Graph): string | null => {
    names ??= new Map(
      new Chunks(graph, new Set(pages))
        .merged()
        .flatMap(({ modules }, at) => modules.map((module) => [module, `shared-${at}`] as const)),
    )
    return names.get(id) ?? null
  }
}

class Chunks {
  readonly #graph: Graph
  readonly #pages: ReadonlySet<string>
  #chunks: readonly Chunk[]
  /** A chunk, and all that is loaded with it. */
  #whole = new Map<Chunk, ReadonlySet<Chunk>>()
  readonly #needed: ReadonlyMap<string, number>

  constructor(graph: Graph, pages: ReadonlySet<string>) {
    this.#graph = graph
    this.#pages = pages
    this.#chunks = firstChunks(graph, pages)
    this.#needed = this.#sums(({ size }) => size)
  }

  merged(): readonly Chunk[] {
    for (;;) {
      this.#findWhole()
      const best = this.#bestPair()
      if (best === null) return this.#chunks
      const [a, b] = best
      const loaders = union(a.loaders, b.loaders)
      for (const chunk of this.#loadedWith(a, b)) chunk.loaders = union(chunk.loaders, loaders)
      const { isStyle } = a
      const modules = [...a.modules, ...b.modules]
      this.#chunks = [
        ...this.#chunks.filter((chunk) => chunk !== a && chunk !== b),
        { modules, isStyle, size: a.size + b.size, loaders },
      ]
    }
  }

  #bestPair(): readonly [Chunk, Chunk] | null {
    const requests = this.#sums(() => 1)
    const sizes = this.#sums(({ size }) => size)
    let [best, least]: [readonly [Chunk, Chunk] | null, number] = [null, 0]
    for (const [at, a] of this.#chunks.entries()) {
      for (const b of this.#chunks.slice(0, at)) {
        if (a.isStyle !== b.isStyle || areDisjoint(a.loaders, b.loaders)) continue
        const added = new Map<string, number>()
        const loaders = union(a.loaders, b.loaders)
        if (this.#isOfOnePage(a, loaders) || this.#isOfOnePage(b, loaders)) continue
        for (const chunk of this.#loadedWith(a, b)) {
          for (const loader of loaders) {
            if (chunk.loaders.has(loader)) continue
            added.set(loader, (added.get(loader) ?? 0) + chunk.size)
          }
        }
        let cost = 0
        let isTooMuch = false
        for (const loader of loaders) {
          const isPage = this.#pages.has(loader)
          const more = added.get(loader) ?? 0
          isTooMuch ||=
            isPage &&
            more > 0 &&
            (sizes.get(loader) ?? 0) + more > (this.#needed.get(loader) ?? 0) * (1 + WASTE)
          const spared =
            a.loaders.has(loader) && b.loaders.has(loader)
              ? REQUEST * (requests.get(loader) ?? 0)
              : 0
          cost += (isPage ? 1 : PART) * (more - spared)
        }
        if (!isTooMuch && cost < least && !this.#wouldCircle([a, b])) [best, least] = [[a, b], cost]
      }
    }
    return best
  }

  /** Whether one page alone has it, with its parts, and others would load it, too. */
  #isOfOnePage({ loaders }: Chunk, others: ReadonlySet<string>): boolean {
    const pagesIn = (all: ReadonlySet<string>) => [...all].filter((each) => this.#pages.has(each))
    return pagesIn(loaders).length === 1 && pagesIn(others).length > 1
  }

  /** Of each page and part, over all chunks that it loads. */
  #sums(of: (chunk: Chunk) => number): ReadonlyMap<string, number> {
    const sums = new Map<string, number>()
    for (const chunk of this.#chunks) {
      for (const loader of chunk.loaders) sums.set(loader, (sums.get(loader) ?? 0) + of(chunk))
    }
    return sums
  }

  #loadedWith(a: Chunk, b: Chunk): ReadonlySet<Chunk> {
    const none = new Set<Chunk>()
    return union(this.#whole.get(a) ?? none, this.#whole.get(b) ?? none)
  }

  #findWhole(): void {
    const chunkOf = new Map(
      this.#chunks.flatMap((chunk) => chunk.modules.map((id) => [id, chunk] as const)),
    )
    const imports = new Map(
      this.#chunks.map((chunk) => {
        const ids = chunk.modules.flatMap((id) => this.#graph.getModuleInfo(id)?.importedIds ?? [])
        return [chunk, new Set(ids.flatMap((id) => chunkOf.get(id) ?? []))]
      }),
    )
    this.#whole = new Map(
      this.#chunks.map((chunk) => [chunk, closure([chunk], (one) => imports.get(one) ?? [])]),
    )
  }

  /** Whether a third chunk imports one of the two, and is imported by one. */
  #wouldCircle([a, b]: readonly [Chunk, Chunk]): boolean {
    for (const third of this.#loadedWith(a, b)) {
      const below = this.#whole.get(third)
      if (third !== a && third !== b && (below?.has(a) || below?.has(b))) return true
    }
    return false
  }
}

/** One chunk for all modules that the same pages and parts load. */
function firstChunks(graph: Graph, pages: ReadonlySet<string>): readonly Chunk[] {
  const loadersOf = new Map<string, Set<string>>()
  /** Where each part is imported. */
  const parts = new Map<string, Set<string>>()
  const roots = new Set(pages)
  for (const root of roots) {
    for (const id of closure([root], (one) => graph.getModuleInfo(one)?.importedIds ?? [])) {
      loadersOf.set(id, (loadersOf.get(id) ?? new Set()).add(root))
      for (const part of graph.getModuleInfo(id)?.dynamicallyImportedIds ?? []) {
        parts.set(part, (parts.get(part) ?? new Set()).add(root))
        roots.add(part)
      }
    }
  }
  const groups = groupedBy(
    [...loadersOf].flatMap(([id, all]) => {
      if (pages.has(id) || all.size === 1) return []
      // What its page has loaded is there when a part is shown.
      const isThere = (loader: string): boolean =>
        all.has(loader) || [...(parts.get(loader) ?? [])].some(isThere)
      const loaders = new Set(
        [...all].filter((loader) => ![...(parts.get(loader) ?? [''])].every(isThere)),
      )
      return areDisjoint(loaders, pages) ? [] : [{ id, loaders, isStyle: id.endsWith('.css') }]
    }),
    ({ isStyle, loaders }) => `${isStyle} ${[...loaders].toSorted().join(' ')}`,
  )
  return Array.from(groups.values(), (group) => {
    const [{ isStyle, loaders }] = group as [(typeof group)[0]]
    const modules = group.map(({ id }) => id)
    const size = modules.reduce((sum, id) => sum + sizeOf(graph, id), 0)
    return { modules, isStyle, size, loaders }
  })
}

function sizeOf(graph: Graph, id: string): number {
  return id.endsWith('.css') ? statSync(id).size : (graph.getModuleInfo(id)?.code?.length ?? 0)
}

/** The first ones and all that follow from them. */
function closure<T>(first: Iterable<T>, next: (one: T) => Iterable<T>): ReadonlySet<T> {
  const all = new Set(first)
  for (const one of all) for (const more of next(one)) all.add(more)
  return all
}

// The build may run on the Node that a machine has, which may know no operations of sets.

const union = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): ReadonlySet<T> => new Set([...a, ...b])

const areDisjoint = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean =>
  ![...a].some((one) => b.has(one))

function groupedBy<T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return groups
}
