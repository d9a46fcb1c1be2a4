import * as texts from '#texts/beatmap'
import * as words from '#texts/common'
import { QUERY_LENGTH } from '../../contract/bounds.ts'
import type { RecentMap } from '../../contract/page-data.ts'
import { stepRows } from '../focus.ts'
import { beatmapHref, pageData } from '../page-data.ts'
import { LinkButton } from '../parts/buttons.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { FrontSearch } from '../parts/search-field.tsx'
import { StarBadge } from '../parts/stars.tsx'
import '../style/browse.css'
import '../style/maps-page.css'

/** Where one finds a beatmap by its song, its mapper, its id or a link, above those that were pooled lately. */
export function MapsPage() {
  const { recentMaps = [] } = pageData()
  return (
    <main id="main" class="maps-page">
      <h1>{words.maps}</h1>
      <p>{texts.mapsMean}</p>
      <FrontSearch
        action="/maps"
        start={new URLSearchParams(pageData().address).get('q') ?? ''}
        label={texts.searchMaps}
        placeholder={texts.searchMapsHint}
        maxLength={QUERY_LENGTH}
        button={words.search}
      />
      {recentMaps.length > 0 ? (
        <section aria-labelledby="recent-maps-title">
          <h2 id="recent-maps-title">{texts.inNewestPacks}</h2>
          <ul class="recent-maps" role="list" onKeyDown={stepRows('a')}>
            {recentMaps.map((map) => (
              <BeatmapRow key={map.id} map={map} />
            ))}
          </ul>
        </section>
      ) : (
        <p class="quiet-text">{texts.noMapsYet}</p>
      )}
      <p class="actions">
        <LinkButton label={texts.browsePacks} href="/packs" />
      </p>
    </main>
  )
}

const BeatmapRow = ({
  map: { id, artist, title, difficulty, mapper, stars, pack },
}: {
  map: RecentMap
}) => (
  <li>
    <a href={beatmapHref(id)} dir="auto">
      {shownText(artist)} – {shownText(title)} [{shownText(difficulty)}]
    </a>
    <StarBadge stars={stars} />
    <span class="recent-map-about">
      {texts.mappedBy({
        mapper: <PersonText text={mapper} />,
        pack: <PersonText href={`/p/${pack.slug}`} text={pack.name} />,
      })}
    </span>
  </li>
)
