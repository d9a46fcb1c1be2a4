import type { JSX } from 'preact'
import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import type { Pool } from '../../pool/pool.ts'
import { isolate } from '../../pool/text.ts'
import { useAction } from '../action.ts'
import { useHash } from '../browser.ts'
import { createPack } from '../pack/create-pack.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { PersonText } from '../parts/labels.tsx'
import { FailureLine, Notice } from '../parts/notices.tsx'
import { PackKeyCard, SideJump } from '../pool/pool-side.tsx'
import { PoolView } from '../pool/pool-view.tsx'
import { CallFailure } from '../site-failure.ts'
import { type Opened, readKey, textOfHash } from './key-address.ts'
import '../style/open-key.css'
import '../style/pack-page.css'
import '../style/side-card.css'

/** What a pack key holds, or where to paste one. The key stays behind the `#` of the address. */
export function OpenKeyPage(): JSX.Element {
  const opened = useOpened()
  if (opened.state === 'open') {
    return (
      <main id="main" class="pack-page">
        <OpenedPool key={opened.packKey} pool={opened.pool} packKey={opened.packKey} />
      </main>
    )
  }
  return (
    <main id="main" class="open-key">
      <h1>Open a pack key</h1>
      <p class="open-key-lead">
        A pack key is a whole pool in one line of text. It is decoded in your browser and never sent
        anywhere. Only beatmap ids are sent, to look up titles.
      </p>
      {opened.state === 'refused' && (
        <div class="refusal" role="alert">
          <h2>{opened.title}</h2>
          <p>{opened.remedy}</p>
        </div>
      )}
      <KeyForm />
    </main>
  )
}

function useOpened(): Opened {
  const hash = useHash()
  const opened = useMemo(() => readKey(textOfHash(hash)), [hash])
  useEffect(() => {
    const name = opened.state === 'open' ? isolate(opened.pool.name) : 'Open a pack key'
    document.title = `${name} – ${pageData().siteName}`
  }, [opened])
  return opened
}

type OpenedPoolProps = { readonly pool: Pool; readonly packKey: string }

const OpenedPool = ({ pool, packKey }: OpenedPoolProps): JSX.Element => (
  <>
    <header class="pack-header">
      <h1>
        <PersonText text={pool.name} />
      </h1>
      <p class="pack-facts">
        Opened from a pack key. It was decoded in your browser; only beatmap ids were sent, to look
        up titles.
      </p>
      <div class="actions">
        {pool.slots.length > 0 && <SavePool pool={pool} />}
        <LinkButton icon="key" href="/k">
          Open another key
        </LinkButton>
        {pool.slots.length > 0 && <SideJump />}
      </div>
    </header>
    {pool.slots.length === 0 ? (
      <EmptyDraft packKey={packKey} />
    ) : (
      <PoolView pool={pool} packKey={packKey} />
    )}
  </>
)

/** Makes the pool a pack of the viewer's own; others are led to sign in, and back. */
function SavePool({ pool }: { readonly pool: Pool }): JSX.Element {
  const { isBusy, error, run } = useAction()
  if (pageData().viewer === null) {
    return (
      <LinkButton tone="primary" icon="user" href="/sign-in?return=%2Fk">
        Sign in to save
      </LinkButton>
    )
  }
  const save = (): Promise<boolean> =>
    run(async () => {
      const { name, buckets, slots } = pool
      const { slug } = await createPack({
        name,
        visibility: 'unlisted',
        slots: [...slots],
        ...(buckets && { buckets: [...buckets] }),
      })
      location.assign(`/p/${slug}`)
    })
  return (
    <>
      <Button tone="primary" icon="plus" busy={isBusy} onClick={() => void save()}>
        Save as my pack
      </Button>
      {isRefused(error) ? (
        <p class="failure-line" role="alert">
          {error.message} Copy the key, paste it into a new pack and fix it there.
        </p>
      ) : (
        <FailureLine error={error} />
      )}
    </>
  )
}

/** Something in the pool is not allowed here: a key says more than a pack may. */
const isRefused = (error: unknown): error is CallFailure =>
  error instanceof CallFailure && error.code === 'bad_request'

const EmptyDraft = ({ packKey }: { readonly packKey: string }): JSX.Element => (
  <>
    <Notice
      title="This draft has no beatmaps"
      actions={
        <LinkButton tone="primary" icon="edit" href="/new">
          New pack
        </LinkButton>
      }
    >
      It has a name and buckets but no beatmaps yet. To continue it, copy the key and paste it into
      a new pack.
    </Notice>
    <div class="draft-key">
      <PackKeyCard packKey={packKey} />
    </div>
  </>
)

/** Where a key is pasted, alone or in a whole message. A key that is whole opens at once. */
function KeyForm(): JSX.Element {
  const [text, setText] = useState('')
  const [refusal, setRefusal] = useState<Extract<Opened, { state: 'refused' }> | null>(null)
  const [fieldId, refusalId] = [useId(), useId()]

  const read = (pasted: string, isFinal: boolean): void => {
    setText(pasted)
    setRefusal(null)
    const opened = readKey(pasted)
    if (opened.state === 'open') location.hash = opened.packKey
    else if (opened.state === 'refused' && isFinal) setRefusal(opened)
  }
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault()
        read(text, true)
      }}
    >
      <label for={fieldId}>Pack key, or text that contains one</label>
      <textarea
        id={fieldId}
        class="field"
        rows={4}
        required
        autocomplete="off"
        spellcheck={false}
        placeholder="pk1.…"
        value={text}
        aria-invalid={refusal !== null}
        aria-describedby={refusalId}
        onInput={({ currentTarget }) => read(currentTarget.value, false)}
      />
      <p id={refusalId} class="failure-line" role="alert">
        {refusal && `${refusal.title}. ${refusal.remedy}`}
      </p>
      <Button type="submit" tone="primary" icon="key">
        Open
      </Button>
    </form>
  )
}
