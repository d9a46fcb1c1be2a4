import * as quotas from '../../contract/quotas.ts'
import { pageData } from '../page-data.ts'
import { CopyButton } from '../parts/copying.tsx'
import { DocsMenu, docsPages } from './docs-menu.tsx'
import '../style/docs.css'

const abouts: Readonly<Record<string, string>> = {
  '/docs/into-the-game': 'All maps of a pool as one file, links into the game, and collections.',
  '/docs/api': 'How scripts and bots read and manage packs: keys, fields, limits and errors.',
  '/docs/client': 'A typed client that respects the rate limits and never saves a pack twice.',
  '/docs/cli': 'Turn spreadsheets into rounds, and keep folders of pools in sync with packs.',
  '/docs/tournaments': 'Draft the rounds of a tournament together, in secret, and release them.',
  '/docs/history': 'See what changed in a pack, restore a version, and follow changes by Atom.',
  '/docs/formats': 'What you can paste and open, and which files you can download.',
  '/docs/pack-keys': 'The pack key format byte by byte, with test values, for implementers.',
  '/docs/reference': 'Every endpoint of both services. Try them with your own key.',
}

export const Overview = () => (
  <div class="docs">
    <DocsMenu here="/docs" />
    <main id="main" class="docs-article">
      <h1>Docs</h1>
      <p class="docs-lead">Guides to packs, pack keys, file formats and the API.</p>
      <ul class="docs-ways">
        {docsPages.map(
          ([href, title]) =>
            abouts[href] && (
              <li key={href}>
                <a class="docs-way" href={href}>
                  <b>{title}</b>
                  <span>{abouts[href]}</span>
                </a>
              </li>
            ),
        )}
      </ul>
      <h2>URLs</h2>
      <Addresses />
      <h2>At a glance</h2>
      <ul>
        <li>
          Create an API key on <a href="/account">your account page</a> and send it with every
          request: <code>Authorization: Bearer YOUR_KEY</code>.
        </li>
        <li>
          {quotas.REQUESTS_PER_MINUTE} requests per minute, up to {quotas.WRITES_PER_MINUTE} of them
          writes, and {quotas.FAILURES_PER_MINUTE} failed key attempts per minute and IP address.
          Counters reset at the top of each minute, and every response says what is left.
        </li>
        <li>
          Errors are <code>{'{ "error": { "code", "message" } }'}</code>: check the code and show
          the message.
        </li>
        <li>
          Use keys only on servers and in bots. The API sends no CORS headers, so only this site’s
          own reference can call it from a browser.
        </li>
      </ul>
    </main>
  </div>
)

function Addresses() {
  const { apiUrl, poolsUrl, siteUrl } = pageData()
  const addresses = [
    ['Packs service', `${apiUrl}/api/v1`],
    ['OpenAPI document', `${apiUrl}/api/v1/openapi.json`],
    ['Tournament-pools service', `${poolsUrl}/api/v1`],
    ['OpenAPI document', `${poolsUrl}/api/v1/openapi.json`],
    ['Search index of public packs', `${siteUrl}/packs/index.json`],
    ['Example pack key', `${siteUrl}/k#pk1.AQFhAQICrAKFPA`],
  ] as const
  return (
    <ul class="docs-addresses">
      {addresses.map(([what, address]) => {
        const code = <code class="docs-address">{address}</code>
        return (
          <li key={address}>
            <span>{what}</span>
            {/json$|#/.test(address) ? <a href={address}>{code}</a> : code}
            <CopyButton tone="quiet" text={address} what={`address ${address}`} />
          </li>
        )
      })}
    </ul>
  )
}
