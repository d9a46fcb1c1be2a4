import { useEffect, useState } from 'preact/hooks'
import type { OpenapiDocument } from '../../contract/openapi/types.ts'
import type { ServiceName } from '../../contract/services.ts'
import { useHash } from '../browser.ts'
import { textOfHash } from '../fragment.ts'
import { Code } from './code.tsx'
import { DocsMenu } from '../docs/docs-menu.tsx'
import { loadJson, useLoad } from '../load.ts'
import { inEnglish, pageData } from '../page-data.ts'
import { DefinitionList } from '../parts/definition-list.tsx'
import { FailureNotice, SkeletonRows } from '../parts/notices.tsx'
import { EndpointView, HeaderList } from './endpoint-view.tsx'
import type { Kept } from './console.tsx'
import { type Api, documentPath, readDocument } from './document.ts'
import { MethodLine, prose, proseBlocks, StatusCode } from './text.tsx'
import '../style/docs.css'
import '../style/reference.css'

export function ReferencePage() {
  const service = serviceOf(location.search)
  const hash = textOfHash(useHash())
  const { value: api, error, reload } = useLoad(loadApi)
  const [kept, keep] = useState<Kept>({ apiKey: '', slug: '' })
  const endpoint = api?.endpoints.find(({ id }) => id === hash)
  useEffect(() => {
    if (hash === '') scrollTo(0, 0)
  }, [hash])
  useEffect(() => {
    const names = [endpoint?.summary, 'API reference', pageData().siteName]
    document.title = names.filter(Boolean).join(' – ')
  }, [endpoint])
  const parts = api?.endpoints.map(({ id, method: tag, summary: text }) => ({
    href: `#${id}`,
    text,
    tag,
  }))
  return (
    <div class="docs reference">
      <DocsMenu here="/docs/reference" parts={parts} place={endpoint ? `#${endpoint.id}` : null} />
      <main id="main" {...inEnglish}>
        {api && endpoint ? (
          <EndpointView key={endpoint.id} {...{ endpoint, service, api, kept, keep }} />
        ) : (
          <>
            <h1>API reference</h1>
            <ServiceSwitch service={service} />
            {api ? (
              <ReferenceHome api={api} service={service} />
            ) : error === null ? (
              // As the reference, longer than any window.
              <SkeletonRows rows={40} label="Loading the reference …" />
            ) : (
              <FailureNotice title="Could not load the reference" error={error} onRetry={reload} />
            )}
          </>
        )}
      </main>
    </div>
  )
}

/** The service that the query names, or else that of this site. */
function serviceOf(search: string): ServiceName {
  const named = new URLSearchParams(search).get('service')
  return named === 'packs' || named === 'pools' ? named : pageData().service
}

const loadApi = async (signal: AbortSignal): Promise<Api> =>
  readDocument(await loadJson<OpenapiDocument>(documentPath(serviceOf(location.search)), signal))

const services = [
  ['packs', 'Packs service'],
  ['pools', 'Tournament-pools service'],
] as const

const ServiceSwitch = ({ service }: { service: ServiceName }) => (
  <nav class="service-switch" aria-label="Services">
    {services.map(([name, label]) => (
      <a
        key={name}
        href={name === pageData().service ? '/docs/reference' : `/docs/reference?service=${name}`}
        aria-current={name === service ? 'page' : undefined}
      >
        {label}
      </a>
    ))}
  </nav>
)

const ReferenceHome = ({ api, service }: { api: Api; service: ServiceName }) => (
  <>
    <p class="docs-lead">{api.summary}</p>
    <p>
      New to the API? Start with the <a href="/docs/api">API guide</a>. This reference is also
      available as an <a href={documentPath(service)}>OpenAPI document</a>.
    </p>
    <div class="docs-article reference-home">
      <ul class="call-list">
        {api.endpoints.map(({ id, method, path, summary }) => (
          <li key={id}>
            <a href={`#${id}`}>
              <MethodLine method={method} path={path} />
              <span>{summary}</span>
            </a>
          </li>
        ))}
      </ul>
      <h2>Base URL</h2>
      <Code text={api.server} what="base URL" />
      {proseBlocks(api.description)}
      <h2>Response headers</h2>
      <HeaderList headers={api.commonHeaders} />
      <h2>Errors</h2>
      <DefinitionList
        class="header-list"
        entries={errorsOf(api).map(([description, status]) => [
          <StatusCode status={status} />,
          prose(description),
        ])}
      />
    </div>
  </>
)

/** What each error status can mean, in the order of the statuses. */
function errorsOf({ endpoints }: Api): [description: string, status: string][] {
  const errors = endpoints.flatMap(({ replies }) => replies).filter(({ isError }) => isError)
  const statuses = new Map(errors.map(({ description, status }) => [description, status]))
  return [...statuses].toSorted(([, x], [, y]) => x.localeCompare(y))
}
