import { useState } from 'preact/hooks'
import { QUERY_LENGTH } from '../../contract/bounds.ts'
import type { RecentMap } from '../../contract/page-data.ts'
import { stepRows } from '../focus.ts'
import { beatmapHref, pageData } from '../page-data.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { StarBadge } from '../parts/stars.tsx'
import '../style/browse.css'
import '../style/maps-page.css'

/** Where one finds a beatmap by its song, its mapper, its id or a link, above those that were pooled lately. */
export function MapsPage() {
  const { recentMaps = [] } = pageData()
  return (
    <main id="main" class="maps-page">
      <h1>Maps</h1>
      <p>Find where a map was pooled, in which slots, and how hard it is with their mods.</p>
      <FindMap />
      {recentMaps.length > 0 ? (
        <section aria-labelledby="recent-maps-title">
          <h2 id="recent-maps-title">In the newest packs</h2>
          <ul class="recent-maps" role="list" onKeyDown={stepRows('li', 'a')}>
            {recentMaps.map((map) => (
              <MapRow key={map.id} map={map} />
            ))}
          </ul>
        </section>
      ) : (
        <p class="quiet-text">No public pack has maps yet.</p>
      )}
      <p class="actions">
        <LinkButton label="Browse packs" href="/packs" />
      </p>
    </main>
  )
}

/** Without a script, a form like any other. */
function FindMap() {
  const [query, setQuery] = useState(() => new URLSearchParams(pageData().address).get('q') ?? '')
  return (
    <form class="front-search" role="search" action="/maps">
      <SearchField
        name="q"
        label="Search maps by song, artist, mapper, id or link"
        placeholder="Song, mapper, id or link"
        value={query}
        maxLength={QUERY_LENGTH}
        onType={setQuery}
      />
      <Button type="submit" label="Search" />
    </form>
  )
}

const MapRow = ({
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
      mapped by <PersonText text={mapper} />, in{' '}
      <PersonText href={`/p/${pack.slug}`} text={pack.name} />
    </span>
  </li>
)
