import { type Dispatch, type StateUpdater, useEffect, useId, useState } from 'preact/hooks'
import { isWrite } from '../../contract/endpoint.ts'
import type { ServiceName } from '../../contract/services.ts'
import { useAction } from '../action.ts'
import { Code } from './code.tsx'
import { pageData } from '../page-data.ts'
import { Button } from '../parts/buttons.tsx'
import { ResponseView } from './response.tsx'
import type { Api, Endpoint } from './document.ts'
import * as wire from './request.ts'
import { ExamplePicker, firstExample } from './text.tsx'

/** What the page fills into each call: the key, stored nowhere else, and the last pack's slug. */
export type Kept = { readonly apiKey: string; readonly slug: string }

type Keep = Dispatch<StateUpdater<Kept>>

export type ConsoleProps = {
  endpoint: Endpoint
  service: ServiceName
  api: Api
  kept: Kept
  keep: Keep
}

/** Makes a call with the reader's own key. */
export function Console({ endpoint, service, api, kept, keep }: ConsoleProps) {
  const [filled, fill] = useState<Record<string, string>>({ slug: kept.slug })
  const [body, setBody] = useState(() => firstExample(endpoint.body?.examples ?? {}))
  const [obstacle, setObstacle] = useState<ReturnType<typeof wire.findObstacle>>(null)
  const [response, setResponse] = useState<wire.WireResponse | null>(null)
  const { isBusy, error, run } = useAction()
  const [controller] = useState(() => new AbortController())
  useEffect(() => () => controller.abort(), [controller])
  const request = wire.writeRequest(endpoint, filled, body)
  const key = endpoint.needsKey ? kept.apiKey.trim() : ''
  const problemOf = (field: string): string | undefined =>
    obstacle?.field === field ? obstacle.remedy : undefined

  const send = (): void => {
    const found = wire.findObstacle(endpoint, filled, key)
    setObstacle(found)
    if (found !== null) return
    run(async () => {
      setResponse(null)
      const received = await wire.sendRequest(request, key, controller.signal)
      setResponse(received)
      const slug = slugIn(received)
      if (slug !== undefined) keep((before) => ({ ...before, slug }))
    })
  }

  const fieldsIn = (...places: readonly string[]) =>
    endpoint.parameters
      .filter((parameter) => places.includes(parameter.in))
      .map((parameter) => (
        <ParameterField
          {...parameter}
          key={parameter.name}
          value={filled[parameter.name] ?? ''}
          problem={problemOf(parameter.name)}
          onChange={(value) => fill({ ...filled, [parameter.name]: value })}
        />
      ))
  const headers = fieldsIn('header')
  const tone = endpoint.method === 'DELETE' ? 'danger' : 'primary'

  return (
    <section
      class="console"
      aria-labelledby="console-title"
      onKeyDown={(event) => {
        const { key, ctrlKey, metaKey, repeat, target } = event
        if (key !== 'Enter') return
        const isSending = ctrlKey || metaKey
        if (isSending && !repeat) send()
        // A key that is held presses a button again and again.
        if (isSending || (repeat && target instanceof HTMLButtonElement)) event.preventDefault()
      }}
    >
      <h2 id="console-title" tabIndex={-1}>
        Try it
      </h2>
      {endpoint.needsKey && (
        <KeyField
          value={kept.apiKey}
          problem={problemOf('key')}
          onChange={(apiKey) => keep((before) => ({ ...before, apiKey }))}
        />
      )}
      {fieldsIn('path', 'query')}
      {endpoint.body && <BodyField body={endpoint.body} value={body} onChange={setBody} />}
      {headers.length > 0 && (
        <details class="console-more">
          <summary>Headers</summary>
          {headers}
        </details>
      )}
      <div class="console-send">
        <Button tone={tone} label="Send" busy={isBusy} onClick={send} />
        <p class="console-note">{noteOf(endpoint)}</p>
      </div>
      {response && <ResponseView {...response} />}
      {error !== null && (
        <p class="console-problem" role="alert">
          No response. Check your connection and try again.
        </p>
      )}
      <SameCall
        request={request}
        server={api.server}
        keyName={endpoint.needsKey ? `${service.toUpperCase()}_KEY` : null}
      />
    </section>
  )
}

const slugIn = ({ status, body }: wire.WireResponse): string | undefined =>
  status < 300 ? /^\{"pack":\{"slug":"([\w-]+)"/.exec(body)?.[1] : undefined

type FieldProps = { value: string; problem: string | undefined; onChange: (value: string) => void }

const textField = {
  class: 'field',
  autocomplete: 'off',
  autocapitalize: 'off',
  spellcheck: false,
} as const

function ParameterField(props: FieldProps & Endpoint['parameters'][number]) {
  const { name, required, schema, value, problem, onChange } = props
  const id = useId()
  const [example] = (schema['examples'] ?? []) as readonly (string | number)[]
  return (
    <div class="console-field">
      <label for={id}>
        <code>{name}</code>
        {!required && <span class="field-optional">optional</span>}
      </label>
      <input
        {...textField}
        id={id}
        required={required}
        placeholder={example === undefined ? '' : `for example ${example}`}
        value={value}
        aria-invalid={problem !== undefined}
        aria-describedby={problem && `${id}-problem`}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {problem && (
        <p id={`${id}-problem`} class="console-problem">
          {problem}
        </p>
      )}
    </div>
  )
}

/** Takes a key, hidden unless asked to show it. */
function KeyField({ value, problem, onChange }: FieldProps) {
  const [isShown, show] = useState(false)
  return (
    <div class="console-field">
      <label for="console-key">API key</label>
      <div class="key-row">
        <input
          {...textField}
          id="console-key"
          {...(isShown ? { type: 'text' as const } : { type: 'password' as const })}
          placeholder={`${pageData().keyPrefix}_…`}
          value={value}
          // It is to be forgotten.
          data-is-kept=""
          aria-invalid={problem !== undefined}
          aria-describedby="console-key-note"
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
        <Button tone="quiet" aria-pressed={isShown} onClick={() => show(!isShown)}>
          {isShown ? 'Hide' : 'Show'}
          <span class="sr-only"> the key</span>
        </Button>
      </div>
      <p id="console-key-note" class={problem ? 'console-problem' : 'console-note'}>
        {problem ?? (
          <>
            The key stays on this page and is forgotten when you leave. Create one on{' '}
            <a href="/account">your account page</a>.
          </>
        )}
      </p>
    </div>
  )
}

type BodyFieldProps = Omit<FieldProps, 'problem'> & { readonly body: NonNullable<Endpoint['body']> }

function BodyField({ body, value, onChange }: BodyFieldProps) {
  const id = useId()
  return (
    <div class="console-field">
      <div class="body-head">
        <label for={id}>Body</label>
        <ExamplePicker label="Start with" examples={body.examples} onChoose={onChange} />
      </div>
      <textarea
        id={id}
        class="field body-field"
        rows={12}
        spellcheck={false}
        autocapitalize="off"
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  )
}

function noteOf({ method, needsKey }: Endpoint): string {
  if (!needsKey) return 'Does not count toward any limit.'
  if (method === 'DELETE') return 'This deletes the pack and counts toward your writes.'
  return isWrite(method)
    ? 'This changes your packs and counts toward your writes.'
    : 'Counts toward your requests.'
}

const languages = [
  ['curl', 'command', wire.asCurl],
  ['fetch', 'code', wire.asFetch],
] as const

type SameCallProps = { request: wire.WireRequest; server: string; keyName: string | null }

/** The code that makes the same call elsewhere; never with the key itself. */
function SameCall({ request, server, keyName }: SameCallProps) {
  const [chosen, choose] = useState<(typeof languages)[number]>(languages[0])
  const [, what, write] = chosen
  return (
    <div class="same-call">
      <div class="same-call-ways" role="group" aria-labelledby="same-call-title">
        <h3 id="same-call-title">Code</h3>
        {languages.map((language) => (
          <button
            key={language[0]}
            type="button"
            class="way"
            aria-pressed={language === chosen}
            onClick={() => choose(language)}
          >
            {language[0]}
          </button>
        ))}
      </div>
      <Code text={write(request, server, keyName)} what={what} />
    </div>
  )
}
