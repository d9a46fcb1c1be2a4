import * as texts from '#texts/pack'
import { useId, useState } from 'preact/hooks'
import { EXPORT_URL_LENGTH, MAX_EXPORTS } from '../../contract/bounds.ts'
import type { SitePack } from '../../contract/packs.ts'
import { useAction } from '../action.ts'
import { call } from '../api.ts'
import { orLook } from '../lost-answers.ts'
import { Button } from '../parts/buttons.tsx'
import { CopyButton } from '../parts/copying.tsx'
import { shownText } from '../parts/labels.tsx'
import { Time } from '../parts/times.tsx'
import { announce } from '../parts/toasts.tsx'
import { CallFailure, explain } from '../site-failure.ts'
import '../style/side-card.css'

export type PackProps = { readonly pack: SitePack; readonly onChange: (pack: SitePack) => void }

/** The magnet links that the owner has recorded (D-43). Nothing for others where there is none. */
export function Magnets({ pack, onChange }: PackProps) {
  const { exports, isMine } = pack
  if (exports.length === 0 && !isMine) return null
  return (
    <section class="side-card" aria-labelledby="magnets-title">
      <h2 id="magnets-title">{texts.magnets}</h2>
      <p class="side-note">{isMine ? texts.magnetsOfYours : texts.magnetsOfOwner}</p>
      <ul class="side-list" role="list">
        {exports.map((magnet) => (
          <li key={magnet.url}>
            <Magnet {...magnet} pack={pack} onChange={onChange} />
          </li>
        ))}
      </ul>
      {isMine && exports.length < MAX_EXPORTS && <RecordMagnet pack={pack} onChange={onChange} />}
      {isMine && exports.length >= MAX_EXPORTS && (
        <p class="side-note">{texts.mostMagnets({ n: MAX_EXPORTS })}</p>
      )}
    </section>
  )
}

function Magnet(props: PackProps & SitePack['exports'][number]) {
  const { url, createdAt, pack, onChange } = props
  const { isBusy, error, run } = useAction()
  const name = magnetName(url)
  const remove = async (): Promise<void> => {
    const { slug } = pack
    const { pack: now } = await orLook(
      () => call('removeMagnet', { slug, body: { url } }),
      async () => {
        const reply = await call('getPack', { slug })
        return reply.pack.exports.some((each) => each.url === url) ? null : reply
      },
    )
    onChange(now)
    announce(texts.magnetRemoved)
  }
  return (
    <>
      <span class="side-words">
        {/* Nothing but what the server has accepted as a magnet link becomes one. */}
        <a class="side-link" dir="auto" {...(url.startsWith('magnet:?') && { href: url })}>
          {shownText(name)}
        </a>
        <span class="side-note">{texts.addedOn({ time: <Time at={createdAt} as="day" /> })}</span>
      </span>
      <CopyButton
        text={url}
        name={texts.copyMagnet({ name })}
        copied={texts.magnetCopied({ name })}
        tone="quiet"
      />
      {pack.isMine && (
        <Button
          tone="quiet"
          icon="trash"
          aria-label={texts.removeMagnet({ name })}
          busy={isBusy}
          onClick={() => run(remove)}
        />
      )}
      {error !== null && (
        <p class="failure-line" role="alert">
          {explainMagnet(error, url)}
        </p>
      )}
    </>
  )
}

/** The name of a magnet link, or the beginning of its hash. */
export function magnetName(url: string): string {
  const parameters = url.slice(url.indexOf('?') + 1).split('&')
  const value = (name: string): string =>
    decode(parameters.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1) ?? '')
  return value('dn').trim() || `${value('xt').split(':').at(-1)?.slice(0, 12)}…`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Why a link was not recorded or removed, in the words of the form. */
export function explainMagnet(error: unknown, url: string): string {
  const text = explain(error)
  if (!(error instanceof CallFailure)) return text
  if (error.code === 'rate_limited' && error.retryAfter !== null) {
    return texts.tooManySaves({ n: error.retryAfter })
  }
  if (error.code === 'bad_request') {
    return /^\s*magnet:\?/i.test(url) ? texts.magnetRefused : texts.noMagnet
  }
  return error.reason === 'pack_changed' ? texts.packChanged({ reason: text }) : text
}

function RecordMagnet({ pack, onChange }: PackProps) {
  const [url, setUrl] = useState('')
  const { isBusy, error, run } = useAction()
  const [fieldId, errorId] = [useId(), useId()]
  const record = async (): Promise<void> => {
    const body = { url: url.trim(), packKey: pack.packKey }
    const { pack: now } = await call('recordMagnet', { slug: pack.slug, body })
    // The next one may be typed by then.
    setUrl((now) => (now === url ? '' : now))
    onChange(now)
    announce(texts.magnetAdded)
  }
  return (
    <form
      class="side-form needs-script"
      onSubmit={(event) => {
        event.preventDefault()
        run(record)
      }}
    >
      <label for={fieldId}>{texts.newMagnet}</label>
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
        {error !== null && explainMagnet(error, url)}
      </p>
      <Button type="submit" icon="magnet" label={texts.addLink} busy={isBusy} />
    </form>
  )
}
