import * as texts from '#texts/open-key'
import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import type { Pool } from '../../pool/pool.ts'
import { isolate } from '../../pool/text.ts'
import { useHash } from '../browser.ts'
import { textOfHash } from '../fragment.ts'
import { createAndOpen } from '../pack/create-pack.ts'
import { pageData } from '../page-data.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Button, LinkButton, NewPackLink } from '../parts/buttons.tsx'
import { PersonText } from '../parts/labels.tsx'
import { Notice } from '../parts/notices.tsx'
import { PackKeyCard, SideJump } from '../pool/pool-side.tsx'
import { PoolView } from '../pool/pool-view.tsx'
import { CallFailure } from '../site-failure.ts'
import { readKey } from './key-address.ts'
import '../style/open-key.css'
import '../style/pack-page.css'
import '../style/side-card.css'

/** What a pack key holds, or where to paste one. The key stays in the fragment of the address. */
export function OpenKeyPage() {
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
      <h1>{texts.title}</h1>
      <p class="open-key-lead">{texts.lead}</p>
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

function useOpened() {
  const hash = useHash()
  const opened = useMemo(() => readKey(textOfHash(hash)), [hash])
  useEffect(() => {
    const name = opened.state === 'open' ? isolate(opened.pool.name) : texts.title
    document.title = `${name} – ${pageData().siteName}`
  }, [opened])
  return opened
}

function OpenedPool({ pool, packKey }: { pool: Pool; packKey: string }) {
  const isDraft = pool.slots.length === 0
  return (
    <>
      <header class="pack-header">
        <PersonText within="h1" text={pool.name} />
        <p class="pack-facts">{texts.openedFrom}</p>
        <div class="actions">
          {!isDraft && <SavePool pool={pool} />}
          <LinkButton icon="key" label={texts.openAnother} href="/k" />
          {!isDraft && <SideJump />}
        </div>
      </header>
      {isDraft ? <EmptyDraft packKey={packKey} /> : <PoolView pool={pool} packKey={packKey} />}
    </>
  )
}

/** Saves the pool as a pack of the viewer's own; others are led to sign in, and back. */
function SavePool({ pool: { name, buckets, slots } }: { pool: Pool }) {
  if (pageData().viewer === null) {
    return (
      <LinkButton
        tone="primary"
        icon="user"
        label={texts.signInToSave}
        href="/sign-in?return=%2Fk"
      />
    )
  }
  const save = (): Promise<void> =>
    createAndOpen({
      name,
      visibility: 'unlisted',
      slots: [...slots],
      ...(buckets && { buckets: [...buckets] }),
    })
  return (
    <ActionButton
      tone="primary"
      icon="plus"
      label={texts.saveAsMine}
      work={save}
      adviceFor={adviceFor}
    />
  )
}

/** A key can hold more than a pack may. */
const adviceFor = (error: unknown): string =>
  error instanceof CallFailure && error.code === 'bad_request' ? texts.fixInEditor : ''

const EmptyDraft = ({ packKey }: { packKey: string }) => (
  <>
    <Notice title={texts.noBeatmaps} actions={<NewPackLink icon="edit" />}>
      {texts.noBeatmapsMeans}
    </Notice>
    <div class="draft-key">
      <PackKeyCard packKey={packKey} />
    </div>
  </>
)

/** Where a key is pasted, alone or in a whole message. A complete key opens at once. */
function KeyForm() {
  const [text, setText] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)
  const [fieldId, refusalId] = [useId(), useId()]

  const read = (pasted: string, isFinal: boolean): void => {
    const opened = readKey(pasted)
    const isRefused = isFinal && opened.state === 'refused'
    setText(pasted)
    setRefusal(isRefused ? `${opened.title}. ${opened.remedy}` : null)
    if (opened.state === 'open') location.hash = opened.packKey
  }
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault()
        read(text, true)
      }}
    >
      <label for={fieldId}>{texts.field}</label>
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
        {refusal}
      </p>
      <Button type="submit" tone="primary" icon="key" label={texts.open} />
    </form>
  )
}
