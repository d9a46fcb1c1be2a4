import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PageData } from '../../src/contract/page-data.ts'
import { FOUND_AT_ONCE, type SearchReply } from '../../src/contract/search.ts'
import { SEARCH_INDEX_PATH, type SearchIndex } from '../../src/contract/search-index.ts'
import { contentSecurityPolicy, pageEnd, pageHtml } from '../../src/site/pages/html.ts'
import { builtAssets } from './build-pages.ts'
import { keepsConnections } from './http.ts'

type PageTrialOptions = {
  /** The entry of each path. */
  readonly pages: Readonly<Record<string, string>>
  /** What goes into every page beside its name. */
  readonly data?: Partial<PageData>
  /** The pages come rendered, as the site sends them; else the script shows them. */
  readonly isRendered?: boolean
  /** Answered at the search index's address; null answers 500. Asked anew each time. */
  readonly index: () => SearchIndex | null
  /** The packs that the server finds for words; left out: none. */
  readonly find?: (words: string) => SearchIndex['packs']
}

const noPacks = (): SearchIndex['packs'] => []

const replyOf = (packs: SearchIndex['packs'], from: number, searched: number): SearchReply => ({
  packs: packs.slice(from, from + FOUND_AT_ONCE).map((entry) => ({ entry, maps: [] })),
  next: packs.length > from + FOUND_AT_ONCE ? String(from + FOUND_AT_ONCE) : null,
  isNear: false,
  beatmapIds: [],
  searched,
})

/** Serves the built pages over real HTTP, with made-up data and the real rules for scripts. */
export const openPageTrial = async ({
  pages,
  data,
  isRendered = false,
  index,
  find = noPacks,
}: PageTrialOptions) => {
  const assets = await builtAssets()
  if (assets.entries === null) throw new Error('the pages could not be built')

  const send = (reply: ServerResponse, status: number, type: string, body: string | Buffer) =>
    reply
      .writeHead(status, {
        'content-type': type,
        'content-security-policy': contentSecurityPolicy({
          coversUrl: url(),
          mirrors: data?.mirrors ?? [],
        }),
      })
      .end(body)

  const sendPage = (reply: ServerResponse, name: string): void => {
    const files = assets.entries?.get(name)
    if (files === undefined) throw new Error(`there is no page ${name}`)
    const all: PageData = {
      siteName: 'Mapcrate',
      page: name,
      address: '/',
      language: 'en',
      service: 'packs',
      keyPrefix: 'packs',
      viewer: null,
      apiUrl: url(),
      poolsUrl: 'http://pools.test',
      siteUrl: url(),
      coversUrl: `${url()}/covers`,
      ...data,
    }
    const { viewer, ...shown } = all
    const { before, fixed, after } = pageHtml({
      operator: { notice: null, readOnly: null },
      languages: ['en'],
      isAsked: false,
      head: { title: name, description: `The page ${name}` },
      files,
      earlyScript: assets.entries?.get('theme')?.script ?? undefined,
      body: (isRendered && assets.render?.(all)) || '',
      // Last, as the server has it.
      data: { ...shown, viewer: null },
    })
    const html = before + fixed.text + after + pageEnd(viewer).toString()
    send(reply, 200, 'text/html; charset=utf-8', html)
  }

  const server = createServer(keepsConnections, async (request, reply) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '', url())
    const page = pages[path]
    if (page !== undefined) return sendPage(reply, page)
    if (path === SEARCH_INDEX_PATH) {
      const found = index()
      return found === null
        ? send(reply, 500, 'text/plain', 'out of order')
        : send(reply, 200, 'application/json', JSON.stringify(found))
    }
    if (path === '/session/search') {
      const words = searchParams.get('q')
      const packs = words === null ? [] : find(words)
      const from = Number(searchParams.get('after') ?? 0)
      const found = replyOf(packs, from, index()?.packs.length ?? 0)
      return send(reply, 200, 'application/json', JSON.stringify(found))
    }
    const asset = await assets.find(path.slice(1), 'identity')
    return asset === null
      ? send(reply, 404, 'text/plain', 'nothing here')
      : send(reply, 200, asset.type, asset.bytes)
  })
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: url(), close }
}
