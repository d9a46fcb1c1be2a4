import type { JSX } from 'preact'
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type { OpenapiDocument } from '../../contract/openapi/types.ts'
import type { ServiceName } from '../../contract/services.ts'
import { useHash } from '../browser.ts'
import { CodeBlock } from '../docs/code-block.tsx'
import { DocsMenu } from '../docs/docs-menu.tsx'
import { useLoad } from '../load.ts'
import { pageData } from '../page-data.ts'
import { FailureNotice, SkeletonRows } from '../parts/notices.tsx'
import { CallView, HeaderList } from './call-view.tsx'
import {
  type Api,
  type Call,
  type CallReply,
  documentPath,
  loadDocument,
  readDocument,
} from './document.ts'
import type { WireAnswer } from './request.ts'
import { MethodLine, Prose, ProseBlocks } from './text.tsx'
import '../style/docs.css'
import '../style/reference.css'

const WAITING_ROWS = 8

/** Every call of a service, to read and to try. */
export function ReferencePage(): JSX.Element {
  const service = wantedService()
  const hash = decodeURIComponent(useHash().slice(1))
  const load = useCallback((signal: AbortSignal) => loadDocument(service, signal), [service])
  const { value, error, reload } = useLoad(load)
  useEffect(() => {
    if (hash === '') scrollTo(0, 0)
  }, [hash])
  if (value !== null) return <Loaded service={service} openapi={value} hash={hash} />
  return (
    <div class="docs reference">
      <DocsMenu here="/docs/reference" parts={[]} place={null} />
      <main id="main">
        <h1>API reference</h1>
        <ServiceSwitch service={service} />
        {error === null ? (
          <SkeletonRows rows={WAITING_ROWS} what="the reference" />
        ) : (
          <FailureNotice title="Could not load the reference" error={error} onRetry={reload} />
        )}
      </main>
    </div>
  )
}

/** The service that the address names; this site's own without a name. */
function wantedService(): ServiceName {
  const named = new URLSearchParams(location.search).get('service')
  return named === 'packs' || named === 'pools' ? named : pageData().service
}

type LoadedProps = {
  readonly service: ServiceName
  readonly openapi: OpenapiDocument
  readonly hash: string
}

function Loaded({ service, openapi, hash }: LoadedProps): JSX.Element {
  const [apiKey, setKey] = useState('')
  const [slug, setSlug] = useState('')
  const api = useMemo(() => readDocument(openapi), [openapi])
  const { calls } = api
  const call = calls.find(({ id }) => id === hash)
  useEffect(() => {
    const names = ['API reference', pageData().siteName]
    document.title = [...(call ? [call.summary] : []), ...names].join(' – ')
  }, [call])
  const here = call?.id ?? ''
  const parts = calls.map(({ id, method, summary }) => ({
    href: `#${id}`,
    text: summary,
    level: 2 as const,
    tag: method,
  }))
  return (
    <div class="docs reference">
      <DocsMenu here="/docs/reference" parts={parts} place={`#${here}`} />
      <main id="main">
        {call === undefined ? (
          <>
            <h1>API reference</h1>
            <ServiceSwitch service={service} />
            <p class="docs-lead">{api.summary}</p>
            <p>
              New to the API? Start with the <a href="/docs/api">API guide</a>. This reference is
              also available as an <a href={documentPath(service)}>OpenAPI document</a>.
            </p>
            <ReferenceHome api={api} />
          </>
        ) : (
          <CallView
            key={call.id}
            call={call}
            service={service}
            api={api}
            apiKey={apiKey}
            onKey={setKey}
            slug={slug}
            onAnswer={(answer) => setSlug((before) => slugIn(answer) ?? before)}
          />
        )}
      </main>
    </div>
  )
}

const services: Readonly<Record<ServiceName, string>> = {
  packs: 'Packs service',
  pools: 'Tournament-pools service',
}

const ServiceSwitch = ({ service }: { readonly service: ServiceName }): JSX.Element => (
  <nav class="service-switch" aria-label="Services">
    {(Object.keys(services) as ServiceName[]).map((name) => (
      <a key={name} href={hrefOf(name)} aria-current={name === service ? 'page' : undefined}>
        {services[name]}
      </a>
    ))}
  </nav>
)

const hrefOf = (service: ServiceName): string =>
  service === pageData().service ? '/docs/reference' : `/docs/reference?service=${service}`

const ReferenceHome = ({
  api: { calls, standing, server, description },
}: {
  readonly api: Api
}): JSX.Element => (
  <div class="docs-article reference-home">
    <ul class="call-list">
      {calls.map(({ id, method, path, summary }) => (
        <li key={id}>
          <a href={`#${id}`}>
            <MethodLine method={method} path={path} />
            <span>{summary}</span>
          </a>
        </li>
      ))}
    </ul>
    <h2>Base URL</h2>
    <CodeBlock text={server} what="base URL" />
    <ProseBlocks text={description} />
    <h2>Response headers</h2>
    <HeaderList headers={standing} />
    <h2>Errors</h2>
    <dl class="header-list">
      {refusalsOf(calls).map(({ status, description }) => (
        <div key={description}>
          <dt>
            <b class={`status status-${status.charAt(0)}`}>{status}</b>
          </dt>
          <dd>
            <Prose text={description} />
          </dd>
        </div>
      ))}
    </dl>
  </div>
)

/** What the refusals of all calls mean, each once. */
function refusalsOf(calls: readonly Call[]): readonly CallReply[] {
  const all = calls.flatMap(({ replies }) => replies).filter(({ status }) => Number(status) >= 400)
  const seen = new Map(all.map((reply) => [reply.description, reply]))
  return [...seen.values()].toSorted((x, y) => x.status.localeCompare(y.status))
}

/** The slug in an answer that holds one pack; null in any other. */
const slugIn = ({ status, body }: WireAnswer): string | null =>
  status < 300 ? (/^\{"pack":\{"slug":"([\w-]+)"/.exec(body)?.[1] ?? null) : null
