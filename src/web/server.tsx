import * as common from '#texts/common'
import * as texts from '#texts/site'
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
import { NoticeContent } from './parts/notice-page.tsx'
import { SkeletonRows } from './parts/notices.tsx'
import { renderToString } from './serving/to-html.ts'

cacheHtml(renderToString)

const pages = new Map<string, Page>(
  Object.entries({ browse, docs, home, map, maps, notice, owner, pack, tournament, tournaments }),
)

/** Keeps the place of a page that its script makes. */
const PageSkeleton: Page = () => (
  <main id="main" class="page-skeleton">
    <div class="notice without-script">
      <NoticeContent />
    </div>
    <div class="needs-script">
      <SkeletonRows rows={12} label={common.loading} />
    </div>
  </main>
)

const ways = {
  packs: { label: texts.browsePacks, href: '/packs' },
  pools: { label: texts.browseTournaments, href: '/' },
} as const

/** The HTML of a page for viewers who are not signed in. */
export function renderPage(data: PageData): string {
  const Page = pages.get(data.page)
  if (Page !== undefined) return asServed(data, () => renderToString(<Frame Page={Page} />))
  const { needsScript: title, needsScriptText: text } = texts
  const notice = { title, text, ways: [ways[data.service]] }
  return asServed({ ...data, notice }, () => renderToString(<Frame Page={PageSkeleton} />))
}
