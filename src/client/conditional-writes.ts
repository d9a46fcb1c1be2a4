import type { Pack, PackInput } from '../contract/packs.ts'
import type { CallOptions, ChangeOptions, WithResponse } from './call.ts'
import type { Connection } from './connection.ts'
import { MapcrateError } from './errors.ts'

/** A state of a pack: `updatedAt` changes with every save (D-26). */
type PackVersion = Pick<Pack, 'slug' | 'updatedAt'>

const KNOWN_TAGS = 1_000
/** Stats or a magnet link may come in between reading a tag and sending it; so often at most. */
const MAX_ATTEMPTS = 3

/**
 * Writes to packs that go ahead only in the state that the program has read (D-48). A tag covers
 * all that a pack shows, stats included; what a program means is that nobody has saved in between.
 * So a tag that is refused is replaced by the current one as long as `updatedAt` has not moved.
 */
export class ConditionalWrites {
  readonly #send: Connection['send']
  /** By slug, the oldest first: what was last read or written of a pack. */
  readonly #known = new Map<string, { readonly updatedAt: string; readonly etag: string }>()

  constructor(send: Connection['send']) {
    this.#send = send
  }

  /** Remembers the tag of a pack that was read or saved; gives the answer back. */
  note<T extends { readonly pack: Pack }>(answer: WithResponse<T>): WithResponse<T> {
    const { slug, updatedAt } = answer.data.pack
    if (answer.etag === null) return answer
    // Proxies that compress make a strong tag weak, and weak ones match nothing.
    const etag = answer.etag.replace(/^W\//, '')
    this.#known.delete(slug)
    this.#known.set(slug, { updatedAt, etag })
    if (this.#known.size > KNOWN_TAGS) {
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest)
        break
      }
    }
    return answer
  }

  /**
   * Runs a write with the tag that its `ifMatch` stands for.
   *
   * @param input of a replacement; null of a deletion.
   * @throws MapcrateError `precondition_failed` when the pack was saved in between.
   */
  async write<R>(
    slug: string,
    input: PackInput | null,
    options: ChangeOptions,
    send: (ifMatch: string | undefined) => Promise<WithResponse<R>>,
  ): Promise<WithResponse<R | { pack: Pack }>> {
    const { ifMatch = versionIn(slug, input) } = options
    if (ifMatch === null || typeof ifMatch === 'string') return send(ifMatch ?? undefined)
    if (ifMatch.slug !== slug) {
      throw new MapcrateError('bad_request', 'ifMatch is another pack than the one to be changed')
    }
    for (let attempt = 1; ; attempt += 1) {
      const isKnown = this.#known.get(slug)?.updatedAt === ifMatch.updatedAt
      const current = isKnown ? null : await this.#read(slug, options)
      if (current !== null && current.data.pack.updatedAt !== ifMatch.updatedAt) {
        // An attempt whose answer was lost has saved it.
        if (attempt > 1 && input !== null && holds(current.data.pack, input)) return current
        throw savedMeanwhile(current)
      }
      try {
        return await send(this.#known.get(slug)?.etag)
      } catch (error) {
        const isRefused = error instanceof MapcrateError && error.code === 'precondition_failed'
        if (!isRefused || attempt >= MAX_ATTEMPTS) throw error
        this.#known.delete(slug)
      }
    }
  }

  async #read(
    slug: string,
    { signal, timeout }: CallOptions,
  ): Promise<WithResponse<{ pack: Pack }>> {
    return this.note(await this.#send('getPack', { slug }, { signal, timeout }))
  }
}

/** The state that an input was made from; null when it is no copy of this pack as it was read. */
function versionIn(slug: string, input: PackInput | null): PackVersion | null {
  const read = (input ?? {}) as Partial<PackVersion>
  return read.slug === slug && typeof read.updatedAt === 'string' ? (read as PackVersion) : null
}

function savedMeanwhile({ data, requestId }: WithResponse<{ pack: Pack }>): MapcrateError {
  const message = `the pack was saved by somebody else at ${data.pack.updatedAt}; read it again and repeat the change`
  return new MapcrateError('precondition_failed', message, { requestId })
}

/** Is this what saving the input makes of a pack? When it cannot be told, it is not. */
function holds(pack: Pack, { name, description, visibility, slots, buckets }: PackInput): boolean {
  const asText = (parts: readonly unknown[]): string => JSON.stringify(parts)
  const wanted = [
    name.trim(),
    (description ?? '').trim(),
    visibility ?? 'unlisted',
    slots.map(({ mod, index, beatmapId }) => [mod, index, beatmapId]),
    buckets,
  ]
  const held = [
    pack.name,
    pack.description ?? '',
    pack.visibility,
    pack.slots.map(({ mod, index, beatmapId }) => [mod, index, beatmapId]),
    pack.buckets,
  ]
  return asText(wanted) === asText(held)
}
