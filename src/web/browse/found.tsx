import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { FoundPack, SearchReply } from '../../contract/search.ts'
import { call } from '../api.ts'
import { count, formatNumber } from '../format.ts'
import { address, isServed, mapHref, pageData, pageHref } from '../page-data.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { cachedHtml } from '../parts/cached-html.ts'
import { PersonText, shownText } from '../parts/labels.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { PackRow } from '../parts/pack-rows.tsx'
import { CallFailure } from '../site-failure.ts'
import { type Criteria, writeAddress } from './search-state.ts'

/** What the server has found of all packs, as far as it was asked. */
export type ServerSearch = {
  readonly packs: readonly FoundPack[]
  readonly reply: SearchReply | null
  readonly isLoading: boolean
  readonly error: unknown
  /** Asks for the next packs, or again after a failure. */
  readonly more: () => void
}

/** Typing asks once it pauses. */
const PAUSE_MS = 150

type State = Omit<ServerSearch, 'more'> & { readonly asked: string | null }

/**
 * Searches all packs on the server, for what the page itself does not have. It begins with what came with the
 * page. `isWanted`: false while the page has everything.
 *
 * @param oldest when the oldest pack was created that the page has; without words, only older ones are missing.
 */
export function useServerSearch(
  criteria: Criteria,
  isWanted: boolean,
  oldest: string | null,
): ServerSearch {
  const asked = queryText(criteria, oldest)
  const [state, setState] = useState<State>(() => stateOf(asked))
  const [tries, setTries] = useState(0)
  const latest = useRef<State>(state)
  /** When the server takes the next request, by `performance.now`. */
  const notBefore = useRef(0)
  latest.current = state

  useEffect(() => {
    const before = latest.current
    const isSame = before.asked === asked
    const known = isSame ? before : { packs: [], reply: null, error: null }
    const next = known.reply?.next ?? undefined
    const isKnown = known.reply !== null && known.error === null
    if (!isWanted || (isKnown && (tries === 0 || next === undefined))) return undefined
    const closing = new AbortController()
    const { signal } = closing
    const ask = async (): Promise<void> => {
      const { packs, reply } = known
      setState({ asked, packs, reply, isLoading: true, error: null })
      try {
        const query = {
          ...Object.fromEntries(new URLSearchParams(asked)),
          ...(next && { after: next }),
        }
        const answer = await call('searchPacks', { query, signal })
        setState({
          asked,
          packs: [...packs, ...answer.packs],
          reply: answer,
          isLoading: false,
          error: null,
        })
      } catch (error) {
        setState({ asked, packs, reply, isLoading: false, error: signal.aborted ? null : error })
        const wait = signal.aborted ? null : waitOf(error)
        if (wait === null) return
        notBefore.current = performance.now() + wait
        setTries((count) => count + 1)
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
  const isOld = state.asked !== asked
  return useMemo(
    () => ({
      ...state,
      ...(isOld && { packs: [], reply: null }),
      isLoading: state.isLoading || (isOld && isWanted),
      more,
    }),
    [state, isOld, isWanted],
  )
}

/** How long the server wants no other request after this failure, in ms; null: it does not say. */
function waitOf(error: unknown): number | null {
  const isTold = error instanceof CallFailure && error.status === 429 && error.retryAfter !== null
  return isTold ? (error.retryAfter ?? 0) * 1000 : null
}

/** What came with the page answers what its address asks for. */
function stateOf(asked: string): State {
  const reply = pageData().found ?? null
  const isAnswer = reply !== null && asked === pageQuery()
  return {
    asked: isAnswer ? asked : null,
    packs: isAnswer ? reply.packs : [],
    reply: isAnswer ? reply : null,
    isLoading: false,
    error: null,
  }
}

/** The query that the server has answered with the page. */
function pageQuery(): string {
  const { search } = new URL(pageData().address, pageData().siteUrl)
  const params = new URLSearchParams(search)
  params.delete('after')
  return params.toString()
}

/** The criteria as the server reads them. */
function queryText(criteria: Criteria, oldest: string | null): string {
  const params = new URLSearchParams(writeAddress(criteria))
  params.delete('sort')
  params.delete('reversed')
  if (params.size > 0 && criteria.sort === 'created') params.set('order', 'created')
  if (oldest !== null && criteria.query.trim() === '') params.set('older', oldest)
  return params.toString()
}

type MoreFoundProps = {
  readonly search: ServerSearch
  /** Slugs of packs that are shown above. */
  readonly shown: ReadonlySet<string>
  /** How many packs were searched by the page itself; null: none. */
  readonly inPage: number | null
}

/** What the server has found beyond what is shown above, and what was searched. */
export function MoreFound({ search, shown, inPage }: MoreFoundProps) {
  const { reply, packs, isLoading, error, more } = search
  const rest = packs.filter(({ entry }) => !shown.has(entry.s))
  return (
    <section class="found" aria-label="All packs">
      {reply?.isNear && <p class="found-note">No pack has these words. These have similar ones:</p>}
      {rest.length > 0 && shown.size > 0 && (
        <p class="found-note">
          {count(rest.length, 'more pack')}
          {reply?.next && ' and others'}, found by their maps or among older packs:
        </p>
      )}
      <FoundRows packs={rest} />
      {isLoading && <p class="found-note">Searching all packs …</p>}
      {error !== null && (
        <div class="found-failure">
          <FailureLine error={error}>The packs above are not affected.</FailureLine>
          <Button label="Try again" onClick={more} />
        </div>
      )}
      {error === null && reply?.next && (
        <MoreButton next={reply.next} busy={isLoading} more={more} />
      )}
      {reply !== null && (
        <p class="found-note" role="status">
          {searchedWords(reply.searched, inPage)}
        </p>
      )}
    </section>
  )
}

function searchedWords(all: number, inPage: number | null): string {
  const everything = `everything in all ${count(all, 'pack')}, songs and mappers too`
  if (inPage === null || inPage >= all) return `Searched: ${everything}.`
  return `Searched: names, owners and descriptions of the newest ${formatNumber(inPage)}, and ${everything}.`
}

/** Without a script, a link to the next page. */
function MoreButton({ next, busy, more }: { next: string; busy: boolean; more: () => void }) {
  if (!isServed()) return <Button label="Show more" busy={busy} onClick={more} />
  const { pathname, search } = address()
  const params = new URLSearchParams(search)
  params.set('after', next)
  return <LinkButton label="Next page" href={`${pathname}?${params.toString()}`} />
}

/** Rows in the order of the answer; each says which of its maps match. */
export const FoundRows = ({ packs }: { packs: readonly FoundPack[] }) =>
  packs.length === 0 ? null : (
    <ul class="pack-list plain" role="list">
      {packs.map((found) => (
        <FoundRow key={found.entry.s} {...found} />
      ))}
    </ul>
  )

function FoundRow(found: FoundPack) {
  const { entry, maps } = found
  const name = maps.length > 0 ? 'pack-row with-maps' : 'pack-row'
  const content = () => (
    <>
      <PackRow {...entry} />
      {maps.length > 0 && (
        <span class="row-maps" title={maps.map(shownText).join('\n')}>
          <span class="sr-only">Maps that match: </span>
          {maps.map((map, at) => (
            <span key={map}>
              {at > 0 && ' · '}
              <PersonText text={map} />
            </span>
          ))}
        </span>
      )}
    </>
  )
  const html = cachedHtml(JSON.stringify([pageHref('/'), found]), content)
  if (html === null) return <li class={name}>{content()}</li>
  return <li class={name} dangerouslySetInnerHTML={html} />
}

/** Where beatmaps were pooled that the words name by an id or a link. */
export const NamedBeatmaps = ({ ids }: { ids: readonly number[] }) =>
  ids.length === 0 ? null : (
    <p class="found-beatmaps">
      {ids.map((id) => (
        <a key={id} href={mapHref(id)}>
          Beatmap {id}: where it was pooled
        </a>
      ))}
    </p>
  )
