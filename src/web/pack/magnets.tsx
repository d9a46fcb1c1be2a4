import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { EXPORT_URL_LENGTH, MAX_EXPORTS } from '../../contract/bounds.ts'
import type { SitePack } from '../../contract/packs.ts'
import { isolate } from '../../pool/text.ts'
import { useAction } from '../action.ts'
import { call } from '../api.ts'
import { formatDay } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { CopyButton } from '../parts/copying.tsx'
import { shownText } from '../parts/labels.tsx'
import { announce } from '../parts/toasts.tsx'
import { CallFailure, explain } from '../site-failure.ts'
import '../style/side-card.css'

type MagnetsProps = { readonly pack: SitePack; readonly onChange: (pack: SitePack) => void }

/** The magnet links that the owner has recorded (D-43). Nothing for others where there is none. */
export const Magnets = ({ pack, onChange }: MagnetsProps): JSX.Element | null =>
  pack.exports.length === 0 && !pack.isMine ? null : (
    <section class="side-card" aria-labelledby="magnets-title">
      <h2 id="magnets-title">Magnet links</h2>
      <p class="side-note">
        {pack.isMine
          ? 'Beatmap downloads that you share. They are removed when the pack’s beatmaps, slots or name change.'
          : 'Beatmap downloads shared by the owner.'}
      </p>
      <ul class="side-list" role="list">
        {pack.exports.map(({ url, createdAt }) => (
          <li key={url}>
            <Magnet url={url} createdAt={createdAt} pack={pack} onChange={onChange} />
          </li>
        ))}
      </ul>
      {pack.isMine && <RecordMagnet pack={pack} onChange={onChange} />}
    </section>
  )

type MagnetProps = MagnetsProps & { readonly url: string; readonly createdAt: string }

function Magnet({ url, createdAt, pack, onChange }: MagnetProps): JSX.Element {
  const { isBusy, error, run } = useAction()
  const name = magnetName(url)
  const remove = (): Promise<boolean> =>
    run(async () => {
      const { pack: now } = await call('removeMagnet', { slug: pack.slug, body: { url } })
      onChange(now)
      announce('Magnet link removed')
    })
  return (
    <>
      <span class="side-words">
        {/* Nothing but what the server has taken as a magnet link becomes one. */}
        <a class="side-link" dir="auto" {...(url.startsWith('magnet:?') && { href: url })}>
          {shownText(name)}
        </a>
        <span class="side-note">
          added <time dateTime={createdAt}>{formatDay(createdAt)}</time>
        </span>
      </span>
      <CopyButton text={url} what={`magnet link ${isolate(name)}`} tone="quiet" />
      {pack.isMine && (
        <Button
          tone="quiet"
          icon="trash"
          aria-label={`Remove magnet link ${isolate(name)}`}
          busy={isBusy}
          onClick={() => void remove()}
        />
      )}
      {error !== null && (
        <p class="failure-line" role="alert">
          {explainMagnet(error)}
        </p>
      )}
    </>
  )
}

/** What a recorded magnet link is called: its name, or the beginning of its hash. */
export function magnetName(url: string): string {
  const parameters = url.slice(url.indexOf('?') + 1).split('&')
  const value = (name: string): string =>
    decode(parameters.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1) ?? '')
  const name = value('dn').trim()
  return name === '' ? `${value('xt').split(':').at(-1)?.slice(0, 12)}…` : name
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Why a link was not recorded or removed, in words for whoever looks at the form. */
export function explainMagnet(error: unknown): string {
  const said = explain(error).replace(/^Url /, 'The link ')
  if (!(error instanceof CallFailure)) return said
  if (error.code === 'rate_limited' && error.retryAfter !== null) {
    return `Too many saves this minute. Try again in ${error.retryAfter} seconds.`
  }
  return error.code === 'conflict' && said.includes('has changed')
    ? `${said} Reload the page to see the current version.`
    : said
}

function RecordMagnet({ pack, onChange }: MagnetsProps): JSX.Element {
  const [url, setUrl] = useState('')
  const { isBusy, error, run } = useAction()
  const [fieldId, errorId] = [useId(), useId()]
  const isFull = pack.exports.length >= MAX_EXPORTS

  const record = async (event: Event): Promise<void> => {
    event.preventDefault()
    await run(async () => {
      const body = { url: url.trim(), packKey: pack.packKey }
      const { pack: now } = await call('recordMagnet', { slug: pack.slug, body })
      setUrl('')
      onChange(now)
      announce('Magnet link added')
    })
  }
  if (isFull) {
    return (
      <p class="side-note">
        You have added the maximum of {MAX_EXPORTS} links. Remove one to add another.
      </p>
    )
  }
  return (
    <form class="side-form" onSubmit={(event) => void record(event)}>
      <label for={fieldId}>New magnet link</label>
      <input
        id={fieldId}
        class="field"
        required
        maxLength={EXPORT_URL_LENGTH}
        placeholder="magnet:?xt=urn:btih:…"
        autocomplete="off"
        spellcheck={false}
        value={url}
        aria-invalid={error !== null}
        aria-describedby={errorId}
        onInput={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <p id={errorId} class="failure-line" role="alert">
        {error === null ? null : explainMagnet(error)}
      </p>
      <Button type="submit" icon="magnet" busy={isBusy}>
        Add link
      </Button>
    </form>
  )
}
