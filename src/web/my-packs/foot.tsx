import { useEffect, useState } from 'preact/hooks'
import type { Pack, Visibility } from '../../contract/packs.ts'
import { visibilities } from '../../pool/pack-fields.ts'
import { isolate } from '../../pool/text.ts'
import { listen } from '../browser.ts'
import { count } from '../format.ts'
import { pageData } from '../page-data.ts'
import { Button, SignInButton } from '../parts/buttons.tsx'
import { useCopy } from '../parts/copying.tsx'
import { Countdown } from '../parts/countdown.tsx'
import { ConfirmDialog, Dialog } from '../parts/dialogs.tsx'
import { visibilityWords } from '../parts/labels.tsx'
import { loadedPart } from '../parts/loaded-part.tsx'
import { CallFailure, explain, isSignedOut } from '../site-failure.ts'
import type { Run } from './bulk-work.ts'
import { FEW } from './deletion.ts'
import { FOOT_ID, type MyPacks } from './model.ts'

type ModelProps = { readonly model: MyPacks }

/** What was just deleted, what is being done, and what can be done to the packs that are chosen; else nothing. */
export function Foot({ model }: ModelProps) {
  const { pending, run, chosen } = model
  // Few deletions are over before they can be read.
  const isShown =
    run !== null &&
    (run.order.kind === 'visibility' || run.total > FEW || run.hasWaited || run.phase === 'stopped')
  return (
    <div id={FOOT_ID} class="my-packs-foot" tabIndex={-1}>
      <div role="status">{pending.length > 0 && <UndoBar model={model} />}</div>
      {isShown && <RunBar run={run} model={model} />}
      {chosen.length > 0 && <ChosenBar model={model} />}
      <p class="sr-only" role="status">
        {chosen.length > 0 && `${count(chosen.length, 'pack')} selected`}
      </p>
    </div>
  )
}

function UndoBar({ model: { pending, hold, undo } }: ModelProps) {
  useEffect(
    () =>
      listen({
        keydown: (event) => {
          const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key === 'z'
          const isTyping = (event.target as Element).matches('input:not([type=checkbox]), textarea')
          if (!isUndo || isTyping) return
          event.preventDefault()
          undo()
        },
      }),
    [pending],
  )
  const what = pending.length === 1 ? isolate(pending[0]!.name) : count(pending.length, 'pack')
  return (
    <p
      class="undo-bar"
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocusIn={() => hold(true)}
      onFocusOut={() => hold(false)}
    >
      <span>{what} deleted</span>
      <Button tone="quiet" icon="undo" label="Undo" onClick={undo} />
    </p>
  )
}

type RunBarProps = ModelProps & { readonly run: Run }

/** How far the work is, and what it waits for or was stopped by. */
function RunBar({ run, model }: RunBarProps) {
  const { order, total, done, phase, until } = run
  const isDeletion = order.kind === 'delete'
  const state = isDeletion ? 'deleted' : `${order.to} now`
  const soFar = `${done.length} of ${count(total, 'pack')} ${state}`
  if (phase === 'stopped') return <StoppedBar run={run} model={model} soFar={soFar} />
  return (
    <section
      class="run-bar"
      aria-label={isDeletion ? 'Deleting packs' : `Making packs ${order.to}`}
    >
      <p id="run-so-far" class="tabular">
        {soFar}
      </p>
      <progress aria-labelledby="run-so-far" max={total} value={done.length} />
      {phase === 'waiting' && (
        <p class="quiet-text">
          <span role="status">
            <span class="sr-only">{soFar}. </span>All saves of this minute are used up.
          </span>{' '}
          Continues <Countdown at={until} over="now" />. Keep this page open.
        </p>
      )}
      <Button
        label={isDeletion ? `Keep the other ${run.left.length}` : 'Stop'}
        onClick={model.stop}
      />
    </section>
  )
}

function StoppedBar({ run, model, soFar }: RunBarProps & { readonly soFar: string }) {
  const { order, left, error } = run
  const [next, ...others] = left
  const isConflict = error instanceof CallFailure && error.status === 409
  const verb = order.kind === 'delete' ? 'deleted' : `made ${order.to}`
  return (
    <section class="run-bar stopped" aria-label="Stopped">
      <p role="alert">
        <b>
          {isolate(next?.name ?? '')} was not {verb}.
        </b>{' '}
        {isConflict
          ? 'It was changed elsewhere after this page was loaded. That version was kept.'
          : explain(error)}{' '}
        {soFar}
        {others.length > 0 && `, ${others.length} not tried yet`}.
      </p>
      <p class="actions">
        {isSignedOut(error) ? (
          <SignInButton />
        ) : (
          <Button
            tone="primary"
            label={isConflict ? 'Continue with the new version' : 'Try again'}
            onClick={model.tryAgain}
          />
        )}
        {others.length > 0 && <Button label="Skip it" onClick={model.skip} />}
        <Button label="Stop" onClick={model.stop} />
      </p>
    </section>
  )
}

const PackDownloads = loadedPart(async () => (await import('./download-list.tsx')).PackDownloads)

function ChosenBar({ model }: ModelProps) {
  const { chosen, remove, chooseNone, setVisibility } = model
  const [open, setOpen] = useState<'visibility' | 'download' | null>(null)
  const { siteUrl } = pageData()
  const links = useCopy({
    text: chosen.map(({ slug }) => `${siteUrl}/p/${slug}\n`).join(''),
    what: chosen.length === 1 ? 'link' : `${chosen.length} links`,
    remedy: 'Copy the links one by one.',
  })
  const close = (): void => setOpen(null)
  const choose = (to: Visibility): void => {
    close()
    setVisibility(to)
  }
  return (
    <section class="chosen-bar" aria-label="Selected packs">
      <p class="tabular">{chosen.length} selected</p>
      <span class="chosen-actions">
        <Button icon="hidden" label="Visibility" onClick={() => setOpen('visibility')} />
        <Button icon="link" label="Copy links" onClick={links.copy} />
        <Button icon="download" label="Download" onClick={() => setOpen('download')} />
        <Button tone="danger" icon="trash" label="Delete" onClick={() => remove(chosen)} />
      </span>
      <Button tone="quiet" icon="close" aria-label="Clear selection" onClick={chooseNone} />
      <VisibilityDialog
        packs={chosen}
        isOpen={open === 'visibility'}
        onClose={close}
        onChoose={choose}
      />
      <Dialog
        kind="sheet"
        title={`Download ${count(chosen.length, 'pack')}`}
        isOpen={open === 'download'}
        onClose={close}
      >
        <PackDownloads packs={chosen} />
      </Dialog>
    </section>
  )
}

type VisibilityDialogProps = {
  readonly packs: readonly Pack[]
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onChoose: (to: Visibility) => void
}

/** Asks who may see these packs, and says what that changes. */
function VisibilityDialog({ packs, isOpen, onClose, onChoose }: VisibilityDialogProps) {
  const [to, setTo] = useState<Visibility | null>(null)
  const others = to === null ? [] : packs.filter(({ visibility }) => visibility !== to)
  const what = packs.length === 1 ? 'this pack' : `these ${packs.length} packs`
  return (
    <ConfirmDialog
      kind="sheet"
      title={`Who can see ${what}?`}
      isOpen={isOpen}
      action={others.length === 0 ? 'Change' : `Change ${count(others.length, 'pack')}`}
      tone="primary"
      disabled={others.length === 0}
      onConfirm={() => to !== null && onChoose(to)}
      onCancel={onClose}
    >
      <fieldset class="visibility-choices">
        <legend class="sr-only">Visibility</legend>
        {visibilities.toReversed().map((value) => {
          const [name, who] = visibilityWords[value]
          const already = packs.filter(({ visibility }) => visibility === value).length
          return (
            <label key={value}>
              <input
                type="radio"
                name="visibility"
                checked={to === value}
                onChange={() => setTo(value)}
              />
              <span>
                <b>{name}</b>
                <span class="quiet-text">
                  {who}
                  {already > 0 && ` · ${already} already`}
                </span>
              </span>
            </label>
          )
        })}
      </fieldset>
      <p class="small-text quiet-text" role="status">
        {noteOf(to, others)}
      </p>
    </ConfirmDialog>
  )
}

function noteOf(to: Visibility | null, others: readonly Pack[]): string {
  if (to === null) return 'Names, descriptions, maps and magnet links stay as they are.'
  if (others.length === 0) return 'Nothing would change: they already have this visibility.'
  const notes = [
    to === 'private' && 'Links to them stop working for others.',
    others.length > FEW &&
      `Up to ${FEW} packs can be saved per minute, so this takes about ${count(Math.floor((others.length - 1) / FEW), 'minute')}. Keep this page open.`,
  ]
  return notes.filter(Boolean).join(' ')
}
