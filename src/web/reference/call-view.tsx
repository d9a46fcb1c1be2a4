import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ServiceName } from '../../contract/services.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { Console } from './console.tsx'
import type { Api, Call } from './document.ts'
import { FieldTable } from './field-table.tsx'
import { fieldsOf, parameterFields } from './fields.ts'
import { MethodLine } from './method-line.tsx'
import { Prose } from './prose.tsx'
import { Replies } from './replies.tsx'

/** In the place of the console: a page may talk to its own service alone. */
const Elsewhere = ({ call, service }: { readonly call: Call; readonly service: ServiceName }) => {
  const { poolsUrl, siteUrl } = pageData()
  const there = service === 'pools' ? poolsUrl : siteUrl
  return (
    <section class="console" aria-labelledby="console-title">
      <h2 id="console-title" tabIndex={-1}>
        Try it
      </h2>
      <p class="console-note">
        This service has its own keys and address, so this page cannot call it. Try this call on the
        service’s own site.
      </p>
      <p class="actions">
        <LinkButton href={`${there}/docs/reference#${call.id}`}>
          Try it on that service’s site
        </LinkButton>
      </p>
    </section>
  )
}

/** The part of the address behind `#` says which call it is, so a link cannot lead there. */
const goToConsole = (): void => {
  const title = document.getElementById('console-title')
  title?.scrollIntoView()
  title?.focus({ preventScroll: true })
}

type Props = Omit<Parameters<typeof Console>[0], 'server'> & { readonly api: Api }

/** One call: what it takes, a console to try it, and what it answers. */
export const CallView = ({ api: { server, standing, resolve }, ...props }: Props): JSX.Element => {
  const { call, service } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [])
  const parameters = parameterFields(call, resolve)
  return (
    <div class="call">
      <header class="call-head">
        <h1 ref={heading} tabIndex={-1}>
          {call.summary}
        </h1>
        <p>
          <MethodLine method={call.method} path={call.path} />
        </p>
        <p>
          <Prose text={call.description} />
        </p>
        <p class="call-jump">
          <Button onClick={goToConsole}>Try it</Button>
        </p>
      </header>
      <section class="call-takes">
        <h2>Request</h2>
        {call.needsKey && (
          <p>
            <code>Authorization: Bearer YOUR_KEY</code>, with a key for this service.
          </p>
        )}
        {parameters.length > 0 && <FieldTable fields={parameters} label="Parameters" />}
        {call.body && (
          <>
            <h3>Body</h3>
            <p>
              <Prose text={call.body.description} />
            </p>
            <FieldTable fields={fieldsOf(call.body.schema, resolve)} label="Body fields" />
          </>
        )}
      </section>
      {service === pageData().service ? (
        <Console {...props} server={server} />
      ) : (
        <Elsewhere call={call} service={service} />
      )}
      <Replies call={call} standing={standing} resolve={resolve} />
    </div>
  )
}
