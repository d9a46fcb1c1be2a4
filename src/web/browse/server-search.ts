import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { FoundPack, SearchReply } from '../../contract/search.ts'
import { call } from '../api.ts'
import { pageData } from '../page-data.ts'
import { CallFailure } from '../site-failure.ts'
import {
  type Criteria,
  hasWords,
  isServersOrder,
  orderOf,
  readAddress,
  writeAddress,
} from './search-state.ts'

/** What the server has found, as far as it was asked: of what is looked for, or still of what was before it. */
export type ServerSearch = {
  readonly packs: readonly FoundPack[]
  readonly reply: SearchReply | null
  readonly error: unknown
  /** Whether this answers what is looked for now, be it with an error. */
  readonly isAnswer: boolean
  readonly isLoading: boolean
  /** Asks for the next packs, or again after a failure. */
  readonly more: () => void
}

/** Typing asks once it pauses. */
const PAUSE_MS = 150
/** What is sorted in an order that the server does not have is all that it finds, or so much of it. */
const MOST_SORTED = 300

type Answer = Pick<ServerSearch, 'packs' | 'reply' | 'error'> & { readonly asked: string | null }

/**
 * Searches all packs on the server. It begins with what came with the page, and keeps an answer until there is
 * another. `isWanted`: false while the page has everything.
 *
 * @param oldest when the oldest pack was created that the page has; without words, only older ones are missing.
 */
export function useServerSearch(
  criteria: Criteria,
  isWanted: boolean,
  oldest: string | null,
): ServerSearch {
  const asked = queryText(criteria, oldest)
  const atLeast = hasWords(criteria) && !isServersOrder(criteria) ? MOST_SORTED : 0
  const [answer, setAnswer] = useState<Answer>(() => pageAnswer(asked))
  const [loading, setLoading] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  /** Which next packs are asked for. */
  const wanted = useRef<string | null>(null)
  const latest = useRef(answer)
  /** When the server takes the next request, by `performance.now`. */
  const notBefore = useRef(0)
  latest.current = answer

  useEffect(() => {
    const isSame = latest.current.asked === asked
    const known = isSame ? latest.current : { asked, packs: [], reply: null, error: null }
    const isMore = wanted.current !== null && known.reply?.next === wanted.current
    if (!isWanted || (isWhole(known, atLeast) && !isMore)) return undefined
    const closing = new AbortController()
    const { signal } = closing
    const ask = async (): Promise<void> => {
      setLoading(asked)
      try {
        const added = await askFor(asked, known, atLeast, signal)
        if (!signal.aborted) setAnswer(added)
      } catch (error) {
        if (signal.aborted) return
        setAnswer({ ...known, error })
        const wait = waitOf(error)
        if (wait === null) return
        notBefore.current = performance.now() + wait
        setTries((count) => count + 1)
      } finally {
        setLoading((now) => (now === asked ? null : now))
      }
    }
    const wait = Math.max(isSame ? 0 : PAUSE_MS, notBefore.current - performance.now())
    const timer = setTimeout(() => void ask(), wait)
    return () => {
      clearTimeout(timer)
      closing.abort()
    }
  }, [asked, isWanted, atLeast, tries])

  const more = useCallback(() => {
    wanted.current = latest.current.reply?.next ?? null
    setTries((before) => before + 1)
  }, [])
  const isAnswer = answer.asked === asked && (answer.error !== null || isWhole(answer, atLeast))
  return useMemo(
    () => ({
      ...answer,
      isAnswer,
      isLoading: isWanted && (loading === asked || !isAnswer),
      more,
    }),
    [answer, isAnswer, isWanted, loading, asked],
  )
}

/** Whether there are as many packs as are needed, one at least, or all that there are. */
const isWhole = ({ packs, reply, error }: Answer, atLeast: number): boolean =>
  reply !== null && error === null && (reply.next === null || packs.length >= Math.max(atLeast, 1))

/** Adds the next packs to those that are known. An answer may hold none although there are more. */
async function askFor(
  asked: string,
  known: Answer,
  atLeast: number,
  signal: AbortSignal,
): Promise<Answer> {
  const packs = new Map(known.packs.map((found) => [found.entry.s, found]))
  let { reply } = known
  do {
    const next = reply?.next
    const query = {
      ...Object.fromEntries(new URLSearchParams(asked)),
      ...(next && { after: next }),
    }
    reply = await call('searchPacks', { query, signal })
    for (const found of reply.packs) if (!packs.has(found.entry.s)) packs.set(found.entry.s, found)
  } while (reply.next !== null && packs.size < Math.max(atLeast, known.packs.length + 1))
  return { asked, packs: [...packs.values()], reply, error: null }
}

/** How long the server wants no other request after this failure, in ms; null: it does not say. */
function waitOf(error: unknown): number | null {
  const isTold = error instanceof CallFailure && error.status === 429 && error.retryAfter !== null
  return isTold ? (error.retryAfter ?? 0) * 1000 : null
}

/** What came with the page answers what its address asks for. */
function pageAnswer(asked: string): Answer {
  const { found: reply = null, address, siteUrl } = pageData()
  const criteria = readAddress(new URL(address, siteUrl).search)
  return reply !== null && asked === queryText(criteria, null)
    ? { asked, packs: reply.packs, reply, error: null }
    : { asked: null, packs: [], reply: null, error: null }
}

/** The criteria as the server reads them. */
export function queryText(criteria: Criteria, oldest: string | null): string {
  const params = new URLSearchParams(writeAddress(criteria))
  params.delete('sort')
  params.delete('reversed')
  if (!hasWords(criteria)) {
    params.delete('q')
    if (oldest !== null) params.set('older', oldest)
  } else if (orderOf(criteria) === 'created') params.set('order', 'created')
  return params.toString()
}
