import type { JSX } from 'preact'
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type { OpenapiDocument } from '../../contract/openapi/types.ts'
import type { ServiceName } from '../../contract/services.ts'
import { DocsMenu } from '../docs/docs-menu.tsx'
import { useLoad } from '../hooks.ts'
import { pageData } from '../page-data.ts'
import { FailureNotice, SkeletonRows } from '../parts/notices.tsx'
import { CallView } from './call-view.tsx'
import { readDocument } from './document.ts'
import { documentPath, loadDocument } from './load-document.ts'
import { ReferenceHome } from './reference-home.tsx'
import type { WireAnswer } from './request.ts'
import { useHash } from './use-hash.ts'
import '../style/docs.css'
import '../style/reference.css'

const services: Readonly<Record<ServiceName, string>> = {
  packs: 'Packs service',
  pools: 'Tournament-pools service',
}

/** The service that the address names; this site's own without a name. */
const wantedService = (): ServiceName => {
  const named = new URLSearchParams(location.search).get('service')
  return named === 'packs' || named === 'pools' ? named : pageData().service
}

const hrefOf = (service: ServiceName): string =>
  service === pageData().service ? '/docs/reference' : `/docs/reference?service=${service}`

const ServiceSwitch = ({ service }: { readonly service: ServiceName }): JSX.Element => (
  <nav class="service-switch" aria-label="Services">
    {(Object.keys(services) as ServiceName[]).map((name) => (
      <a key={name} href={hrefOf(name)} aria-current={name === service ? 'page' : undefined}>
        {services[name]}
      </a>
    ))}
  </nav>
)

/** The slug in an answer that holds one pack; null in any other. */
const slugIn = ({ status, body }: WireAnswer): string | null =>
  status < 300 ? (/^\{"pack":\{"slug":"([\w-]+)"/.exec(body)?.[1] ?? null) : null

type LoadedProps = {
  readonly service: ServiceName
  readonly openapi: OpenapiDocument
  readonly hash: string
}

const Loaded = ({ service, openapi, hash }: LoadedProps): JSX.Element => {
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

const WAITING_ROWS = 8

/** Every call of a service, to read and to try. */
export const ReferencePage = (): JSX.Element => {
  const service = wantedService()
  const hash = useHash()
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
