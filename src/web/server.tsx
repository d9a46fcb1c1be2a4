import { renderToString } from 'preact-render-to-string'
import type { PageData } from '../contract/page-data.ts'
import { Frame, servedPages } from './frame.tsx'
import { asServed } from './page-data.ts'
import './pages/browse.tsx'
import './pages/docs.tsx'
import './pages/home.tsx'
import './pages/pack.tsx'
import './pages/tournament.tsx'
import './pages/tournaments.tsx'

/** The HTML of a page for viewers who are not signed in; null for one that needs a script. */
export function renderPage(data: PageData): string | null {
  const Page = servedPages.get(data.page)
  return Page === undefined ? null : asServed(data, () => renderToString(<Frame Page={Page} />))
}
