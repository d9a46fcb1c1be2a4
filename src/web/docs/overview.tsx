import * as texts from '#texts/docs'
import * as quotas from '../../contract/quotas.ts'
import { pageData } from '../page-data.ts'
import { CopyButton } from '../parts/copying.tsx'
import { DocsMenu, docsPages } from './docs-menu.tsx'
import '../style/docs.css'

const abouts: Readonly<Record<string, string>> = {
  '/docs/into-the-game': texts.aboutIntoTheGame,
  '/docs/api': texts.aboutApi,
  '/docs/client': texts.aboutClient,
  '/docs/cli': texts.aboutCli,
  '/docs/tournaments': texts.aboutTournaments,
  '/docs/history': texts.aboutHistory,
  '/docs/formats': texts.aboutFormats,
  '/docs/pack-keys': texts.aboutPackKeys,
  '/docs/reference': texts.aboutReference,
}

export const Overview = () => (
  <div class="docs">
    <DocsMenu here="/docs" />
    <main id="main" class="docs-article">
      <h1>{texts.menu}</h1>
      <p class="docs-lead">{texts.lead}</p>
      <ul class="docs-ways">
        {docsPages.map(
          ({ path: href, label, language }) =>
            abouts[href] && (
              <li key={href}>
                <a class="docs-way" href={href} hreflang={language}>
                  <b>{label}</b>
                  <span>{abouts[href]}</span>
                </a>
              </li>
            ),
        )}
      </ul>
      <h2>{texts.urls}</h2>
      <Addresses />
      <h2>{texts.glance}</h2>
      <ul>
        <li>
          {texts.createKey({
            a: (children) => <a href="/account">{children}</a>,
            header: <code>Authorization: Bearer YOUR_KEY</code>,
          })}
        </li>
        <li>
          {texts.limits({
            requests: quotas.REQUESTS_PER_MINUTE,
            writes: quotas.WRITES_PER_MINUTE,
            failures: quotas.FAILURES_PER_MINUTE,
          })}
        </li>
        <li>{texts.errors({ shape: <code>{'{ "error": { "code", "message" } }'}</code> })}</li>
        <li>{texts.noCors}</li>
      </ul>
    </main>
  </div>
)

function Addresses() {
  const { apiUrl, poolsUrl, siteUrl } = pageData()
  const addresses = [
    [texts.packsService, `${apiUrl}/api/v1`],
    [texts.openapi, `${apiUrl}/api/v1/openapi.json`],
    [texts.poolsService, `${poolsUrl}/api/v1`],
    [texts.openapi, `${poolsUrl}/api/v1/openapi.json`],
    [texts.searchIndex, `${siteUrl}/packs/index.json`],
    [texts.examplePackKey, `${siteUrl}/k#pk1.AQFhAQICrAKFPA`],
  ] as const
  return (
    <ul class="docs-addresses">
      {addresses.map(([what, address]) => {
        const code = <code class="docs-address">{address}</code>
        return (
          <li key={address}>
            <span>{what}</span>
            {/json$|#/.test(address) ? <a href={address}>{code}</a> : code}
            <CopyButton
              tone="quiet"
              text={address}
              name={texts.copyAddress({ address })}
              copied={texts.addressCopied}
            />
          </li>
        )
      })}
    </ul>
  )
}
