import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { FoundPack, SearchReply } from '../../contract/search.ts'
import { call } from '../api.ts'
import { pageData } from '../page-data.ts'
import { CallFailure } from '../site-failure.ts'
import { type Criteria, hasWords, orderOf, readAddress, writeAddress } from './search-state.ts'

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
  const [answer, setAnswer] = useState<Answer>(() => pageAnswer(asked))
  const [loading, setLoading] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  const latest = useRef(answer)
  /** When the server takes the next request, by `performance.now`. */
  const notBefore = useRef(0)
  latest.current = answer

  useEffect(() => {
    const isSame = latest.current.asked === asked
    const known = isSame ? latest.current : { asked, packs: [], reply: null, error: null }
    const isKnown = known.reply !== null && known.error === null
    if (!isWanted || (isKnown && (tries === 0 || known.reply?.next === null))) return undefined
    const closing = new AbortController()
    const { signal } = closing
    const ask = async (): Promise<void> => {
      setLoading(asked)
      try {
        const added = await askFor(asked, known, signal)
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
  }, [asked, isWanted, tries])

  const more = useCallback(() => setTries((before) => before + 1), [])
  useEffect(() => setTries(0), [asked])
  const isAnswer = answer.asked === asked
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

/** Adds the next packs to those that are known. An answer may hold none although there are more. */
async function askFor(asked: string, known: Answer, signal: AbortSignal): Promise<Answer> {
  const shown = new Set(known.packs.map(({ entry }) => entry.s))
  let { reply } = known
  let added: readonly FoundPack[] = []
  do {
    const next = reply?.next
    const query = {
      ...Object.fromEntries(new URLSearchParams(asked)),
      ...(next && { after: next }),
    }
    reply = await call('searchPacks', { query, signal })
    added = reply.packs.filter(({ entry }) => !shown.has(entry.s))
  } while (added.length === 0 && reply.next !== null)
  return { asked, packs: [...known.packs, ...added], reply, error: null }
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
