import type { Pack, PackInput } from '../contract/packs.ts'
import type { packsApi } from '../contract/services.ts'
import type { CallOptions, ChangeOptions, WithResponse } from './call.ts'
import type { Connection } from './connection.ts'
import { MapcrateError } from './errors.ts'
import { deleted, UnknownOutcome } from './lost-answers.ts'
import { strongTag } from './request.ts'

type PacksApi = typeof packsApi

/** A state of a pack: `updatedAt` changes with every save (D-26). */
type PackState = Pick<Pack, 'slug' | 'updatedAt'>

const CACHED_TAGS = 1_000
/** Magnet links may come in between reading a tag and sending it. */
const MAX_ATTEMPTS = 3

/**
 * Writes packs only in the state that the program has read (D-48). ETags cover magnet links, too: one that is
 * refused is replaced by the current one while `updatedAt` is the same.
 */
export class ConditionalWrites {
  readonly #send: Connection<PacksApi>['send']
  /** By slug, the oldest first. */
  readonly #tags = new Map<string, { readonly updatedAt: string; readonly etag: string }>()

  constructor(send: Connection<PacksApi>['send']) {
    this.#send = send
  }

  /** Caches the ETag of a pack that was read or saved; returns the answer. */
  note<T extends { readonly pack: Pack }>(answer: WithResponse<T>): WithResponse<T> {
    if (answer.etag === null) return answer
    const { slug, updatedAt } = answer.data.pack
    this.#tags.delete(slug)
    this.#tags.set(slug, { updatedAt, etag: strongTag(answer.etag) })
    const [oldest = ''] = this.#tags.keys()
    if (this.#tags.size > CACHED_TAGS) this.#tags.delete(oldest)
    return answer
  }

  /**
   * Runs a write with the ETag that its `ifMatch` means; `input` is null for a deletion. Throws
   * `precondition_failed` if the pack was saved in between, and what failed if its own save may be lost in that.
   */
  async write<R>(
    slug: string,
    input: PackInput | null,
    options: ChangeOptions,
    send: (ifMatch: string | undefined) => Promise<WithResponse<R>>,
  ): Promise<WithResponse<R | { pack: Pack }>> {
    const { ifMatch = stateIn(slug, input), signal, timeout } = options
    if (ifMatch === null || typeof ifMatch === 'string') {
      return send(ifMatch ?? undefined).catch(async (error: unknown) => {
        if (!(error instanceof UnknownOutcome)) throw error
        const current = await this.#readAfter(error, slug, input, options)
        return current === null ? deleted(error) : this.#savedOr(error, input, current)
      })
    }
    if (ifMatch.slug !== slug) {
      throw new MapcrateError('bad_request', 'ifMatch is another pack than the one to be changed')
    }
    let refused: unknown = null
    for (let attempt = 1; ; attempt += 1) {
      const isCached = this.#tags.get(slug)?.updatedAt === ifMatch.updatedAt
      const read = { signal, timeout }
      const current = isCached ? undefined : await this.#readAfter(refused, slug, input, read)
      if (current === null) return deleted(refused as UnknownOutcome)
      if (current !== undefined && current.data.pack.updatedAt !== ifMatch.updatedAt) {
        return this.#savedOr(refused, input, current)
      }
      try {
        return await send(this.#tags.get(slug)?.etag)
      } catch (error) {
        const isRefused = error instanceof MapcrateError && error.code === 'precondition_failed'
        const isUnknown = error instanceof UnknownOutcome
        if (!(isRefused || isUnknown) || attempt >= MAX_ATTEMPTS) throw error
        refused = error
        this.#tags.delete(slug)
      }
    }
  }

  /** The pack as an attempt whose answer was lost has saved it; throws if it is not in that state. */
  #savedOr(refused: unknown, input: PackInput | null, current: WithResponse<{ pack: Pack }>) {
    // A pack that is there was not deleted.
    if (input === null && refused instanceof UnknownOutcome) throw refused.refusal
    if (refused === null || input === null) throw savedMeanwhile(current)
    if (inputText(input) === inputText(current.data.pack)) return current
    throw refused instanceof UnknownOutcome ? refused : savedMeanwhile(current)
  }

  /**
   * If a pack cannot be read back, it is unknown what has become of a change. null: it is deleted, because its owner does
   * not lose sight of it.
   */
  #readAfter(refused: unknown, slug: string, input: PackInput | null, options: CallOptions) {
    return this.read(slug, options).catch((error: unknown) => {
      if (!(refused instanceof UnknownOutcome && error instanceof MapcrateError)) throw error
      if (input === null && error.code === 'not_found') return null
      throw refused
    })
  }

  async read(slug: string, options?: CallOptions) {
    return this.note(await this.#send('getPack', { slug }, options))
  }
}

/** The state that an input is a copy of; null if it is none of this pack. */
function stateIn(slug: string, input: PackInput | null): PackState | null {
  const read = (input ?? {}) as Partial<PackState>
  return read.slug === slug && typeof read.updatedAt === 'string' ? (read as PackState) : null
}

/** What a save makes of each field, equal for what makes the same pack. */
const savedFields: {
  readonly [Field in keyof PackInput]-?: (value: PackInput[Field]) => unknown
} = {
  name: (name) => name.trim(),
  slots: (slots) => slots.map(({ mod, index, beatmapId }) => [mod, index, beatmapId]),
  buckets: (buckets) => buckets ?? null,
  description: (description) => description?.trim() || null,
  visibility: (visibility) => visibility ?? 'unlisted',
}

/** Equal for inputs of which a save makes the same pack, if they write their bucket tables alike. */
const inputText = (input: PackInput): string =>
  JSON.stringify(
    Object.entries(savedFields).map(([field, saved]: [string, (value: never) => unknown]) =>
      saved(input[field as keyof PackInput] as never),
    ),
  )

function savedMeanwhile({ data, requestId }: WithResponse<{ pack: Pack }>): MapcrateError {
  const message = `the pack was saved by somebody else at ${data.pack.updatedAt}; read it again and repeat the change`
  return new MapcrateError('precondition_failed', message, { requestId })
}
