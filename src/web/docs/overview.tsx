import type { JSX } from 'preact'
import {
  FAILURES_PER_MINUTE,
  REQUESTS_PER_MINUTE,
  WRITES_PER_MINUTE,
} from '../../contract/quotas.ts'
import { pageData } from '../page-data.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { DocsMenu } from './docs-menu.tsx'
import '../style/docs.css'

const guides = [
  [
    '/docs/api',
    'API guide',
    'From your first key to every field, limit and error: how scripts and bots read packs and keep their own.',
  ],
  [
    '/docs/client',
    'JavaScript client',
    'Five lines to a pack: typed, keeps to the limits by itself, and never saves a pack twice.',
  ],
  [
    '/docs/cli',
    'Command line',
    'From a spreadsheet to a round in five minutes; folders of pools kept as packs.',
  ],
  [
    '/docs/formats',
    'Sheets and files',
    'What can be pasted and opened here, and which files a pack comes out as.',
  ],
  [
    '/docs/pack-keys',
    'Pack keys',
    'A whole pool in one line of text, byte by byte, with check values: for those who write a reader or a writer.',
  ],
  [
    '/docs/reference',
    'API reference',
    'Every call of both services, to read, and to try with your own key.',
  ],
] as const

const GuideLink = ({ href, title, text }: Record<'href' | 'title' | 'text', string>) => (
  <li>
    <a class="docs-way" href={href}>
      <b>{title}</b>
      <span>{text}</span>
    </a>
  </li>
)

const Addresses = (): JSX.Element => {
  const { apiUrl, poolsUrl, siteUrl } = pageData()
  const addresses = [
    ['Packs service', `${apiUrl}/api/v1`],
    ['Its OpenAPI document', `${apiUrl}/api/v1/openapi.json`],
    ['Tournament-pools service', `${poolsUrl}/api/v1`],
    ['Its OpenAPI document', `${poolsUrl}/api/v1/openapi.json`],
    ['Search index of public packs', `${siteUrl}/packs/index.json`],
    ['A pack key, opened', `${siteUrl}/k#pk1.AQFhAQICrAKFPA`],
  ] as const
  return (
    <ul class="docs-addresses">
      {addresses.map(([what, address]) => (
        <li key={address}>
          <span>{what}</span>
          {/json$|#/.test(address) ? (
            <a href={address}>
              <code class="docs-address">{address}</code>
            </a>
          ) : (
            <code class="docs-address">{address}</code>
          )}
          <CopyButton tone="quiet" text={address} what={`address ${address}`} />
        </li>
      ))}
    </ul>
  )
}

/** What there is to read, and where the services are. */
export const Overview = (): JSX.Element => (
  <div class="docs">
    <DocsMenu here="/docs" parts={[]} place={null} />
    <main id="main" class="docs-article">
      <h1>Docs</h1>
      <p class="docs-lead">How pools go in and out, and how packs, pack keys and the API work.</p>
      <ul class="docs-ways">
        {guides.map(([href, title, text]) => (
          <GuideLink key={href} href={href} title={title} text={text} />
        ))}
      </ul>
      <h2>Addresses</h2>
      <Addresses />
      <h2>In short</h2>
      <ul>
        <li>
          Make a key on <a href="/account">your account page</a> and send it with every request:{' '}
          <code>Authorization: Bearer</code> and the key.
        </li>
        <li>
          {REQUESTS_PER_MINUTE} requests a minute, {WRITES_PER_MINUTE} of them writes;{' '}
          {FAILURES_PER_MINUTE} failed key attempts a minute from an address. Counters begin anew at
          the top of each minute, and every answer says what is left.
        </li>
        <li>
          Errors are <code>{'{ "error": { "code", "message" } }'}</code>: check the code, show the
          message.
        </li>
        <li>
          Keys belong on servers and in bots. The API sends no CORS headers, so no web page but this
          site's own reference can use one.
        </li>
      </ul>
    </main>
  </div>
)
