import type { PageData } from '../contract/page-data.ts'
import { Frame, type Page } from './frame.tsx'
import { asServed } from './page-data.ts'
import { browse } from './pages/browse.tsx'
import { docs } from './pages/docs.tsx'
import { home } from './pages/home.tsx'
import { map } from './pages/map.tsx'
import { maps } from './pages/maps.tsx'
import { notice } from './pages/notice.tsx'
import { owner } from './pages/owner.tsx'
import { pack } from './pages/pack.tsx'
import { tournament } from './pages/tournament.tsx'
import { tournaments } from './pages/tournaments.tsx'
import { cacheHtml } from './parts/cached-html.ts'
import { renderToString } from './serving/to-html.ts'

cacheHtml(renderToString)

const pages = new Map<string, Page>(
  Object.entries({ browse, docs, home, map, maps, notice, owner, pack, tournament, tournaments }),
)

/** The HTML of a page for viewers who are not signed in; null for one that needs a script. */
export function renderPage(data: PageData): string | null {
  const Page = pages.get(data.page)
  return Page === undefined ? null : asServed(data, () => renderToString(<Frame Page={Page} />))
}
