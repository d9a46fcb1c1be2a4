import * as words from '#texts/common'
import * as texts from '#texts/browse'
import type { FoundPack } from '../../contract/search.ts'
import { address, isServed, beatmapHref, pageHref } from '../page-data.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { cachedHtml } from '../parts/cached-html.ts'
import { PersonText, shownText } from '../parts/labels.tsx'
import { FailureLine, FailureNotice } from '../parts/notices.tsx'
import { PackRow } from '../parts/pack-rows.tsx'
import type { ServerSearch } from './server-search.ts'

type MoreFoundProps = {
  readonly search: ServerSearch
  /** Whether packs of the index are shown above. */
  readonly isBelow: boolean
  /** Whether more packs would come in between. */
  readonly isSorted: boolean
}

/** What the server has found beyond what is shown above, and what was searched. */
export function MoreFound({ search, isBelow, isSorted }: MoreFoundProps) {
  const { packs, reply, isLoading, error, more } = search
  return (
    <section class="found" aria-label={texts.allPacks}>
      {reply?.isNear && <p class="found-note">{texts.onlySimilar}</p>}
      {packs.length > 0 && isBelow && (
        <p class="found-note">
          {(reply?.next ? texts.atLeastMoreBelow : texts.moreBelow)({ n: packs.length })}
        </p>
      )}
      <FoundRows packs={packs} />
      {isLoading && isBelow && <p class="found-note">{texts.searchingAll}</p>}
      {error !== null && packs.length === 0 && !isBelow && (
        <FailureNotice title={texts.notSearched} error={error} onRetry={more} />
      )}
      {error !== null && (packs.length > 0 || isBelow) && (
        <div class="found-failure">
          <FailureLine error={error}>{texts.aboveNotAffected}</FailureLine>
          <Button label={words.retry} onClick={more} />
        </div>
      )}
      {error === null && reply?.next && isSorted && (
        <p class="found-note">{texts.cannotBeSorted}</p>
      )}
      {error === null && reply?.next && !isSorted && (
        <MoreButton next={reply.next} busy={isLoading} more={more} />
      )}
      {reply !== null && !isBelow && (
        <p class="found-note" role="status">
          {texts.searchedAll({ n: reply.searched })}
        </p>
      )}
    </section>
  )
}

/** Without a script, a link to the next page. */
function MoreButton({ next, busy, more }: { next: string; busy: boolean; more: () => void }) {
  if (!isServed()) return <Button label={texts.showMore} busy={busy} onClick={more} />
  const { pathname, search } = address()
  const params = new URLSearchParams(search)
  params.set('after', next)
  return <LinkButton label={texts.nextPage} href={`${pathname}?${params.toString()}`} />
}

/** Rows in the order of the answer; each says which of its beatmaps match. */
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
          <span class="sr-only">{texts.matchingMaps} </span>
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
        <a key={id} href={beatmapHref(id)}>
          {texts.whereBeatmapWasPooled({ id: String(id) })}
        </a>
      ))}
    </p>
  )
