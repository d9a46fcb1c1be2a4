import * as words from '#texts/common'
import * as texts from '#texts/my-packs'
import { useEffect, useState } from 'preact/hooks'
import type { Pack, Visibility } from '../../contract/packs.ts'
import { visibilities } from '../../pool/pack-fields.ts'
import { listen } from '../browser.ts'
import { formatSentences } from '../format.ts'
import { pageData } from '../page-data.ts'
import { Button, SignInButton } from '../parts/buttons.tsx'
import { useCopy } from '../parts/copying.tsx'
import { Countdown } from '../parts/countdown.tsx'
import { ConfirmDialog, Dialog } from '../parts/dialogs.tsx'
import { shownText, visibilityWords } from '../parts/labels.tsx'
import { loadedPart } from '../parts/loaded-part.tsx'
import { CallFailure, explain, isSignedOut, isUnknown } from '../site-failure.ts'
import { Sentences } from '../parts/sentences.tsx'
import type { Run } from './bulk-work.ts'
import { FEW } from './deletion.ts'
import { FOOT_ID, type MyPacks } from './model.ts'
import { orderWords } from './order.ts'

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
        {chosen.length > 0 && texts.packsSelected({ n: chosen.length })}
      </p>
    </div>
  )
}

function UndoBar({ model: { pending, hold, undo } }: ModelProps) {
  useEffect(
    () =>
      listen({
        keydown: (event) => {
          const isUndo =
            (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z'
          const isTyping = (event.target as Element).matches('input:not([type=checkbox]), textarea')
          if (!isUndo || isTyping) return
          event.preventDefault()
          undo()
        },
      }),
    [pending],
  )
  const [only] = pending.length === 1 ? pending : []
  const deleted =
    only === undefined
      ? texts.packsDeleted({ n: pending.length })
      : texts.packDeleted({ name: only.name })
  return (
    <p
      class="undo-bar"
      onPointerEnter={() => hold(true)}
      onPointerLeave={({ currentTarget }) => hold(currentTarget.matches(':focus-within'))}
      onFocusIn={() => hold(true)}
      onFocusOut={({ currentTarget }) => hold(currentTarget.matches(':hover'))}
    >
      <span>{deleted}</span>
      <Button tone="quiet" icon="undo" label={words.undo} onClick={undo} />
    </p>
  )
}

type RunBarProps = ModelProps & { readonly run: Run }

/** How far the work is, and what it waits for or was stopped by. */
function RunBar({ run, model }: RunBarProps) {
  const { order, total, done, phase, until } = run
  const { doing, soFar: soFarOf } = orderWords(order)
  const soFar = soFarOf({ done: done.length, n: total })
  if (phase === 'stopped') return <StoppedBar run={run} model={model} soFar={soFar} />
  return (
    <section class="run-bar" aria-label={doing}>
      <p id="run-so-far" class="tabular">
        {soFar}
      </p>
      <progress aria-labelledby="run-so-far" max={total} value={done.length} />
      {phase === 'waiting' && (
        <p class="quiet-text">
          <Sentences
            of={[
              <span role="status">
                <span class="sr-only">{texts.soFarSentence({ soFar })} </span>
                {texts.savesUsedUp}
              </span>,
              texts.continues({ when: <Countdown at={until} over={texts.now} /> }),
            ]}
          />
        </p>
      )}
      <Button
        label={order.kind === 'delete' ? texts.keepOthers({ n: run.left.length }) : texts.stop}
        onClick={model.stop}
      />
    </section>
  )
}

function StoppedBar({ run, model, soFar }: RunBarProps & { readonly soFar: string }) {
  const { order, left, error } = run
  const [next, ...others] = left
  const isConflict = error instanceof CallFailure && error.status === 409
  return (
    <section class="run-bar stopped" aria-label={texts.stopped}>
      <p role="alert">
        <Sentences
          of={[
            <b>
              {isUnknown(error)
                ? shownText(next?.name ?? '')
                : orderWords(order).refused({ name: next?.name ?? '' })}
            </b>,
            isConflict ? texts.changedElsewhere : explain(error),
            others.length === 0
              ? texts.soFarSentence({ soFar })
              : texts.soFarAndLeft({ soFar, n: others.length }),
          ]}
        />
      </p>
      <p class="actions">
        {isSignedOut(error) ? (
          <SignInButton />
        ) : (
          <Button
            tone="primary"
            label={isConflict ? texts.continueWithNew : words.retry}
            onClick={model.tryAgain}
          />
        )}
        {others.length > 0 && <Button label={texts.skip} onClick={model.skip} />}
        <Button label={texts.stop} onClick={model.stop} />
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
    copied: texts.linksCopied({ n: chosen.length }),
    remedy: texts.copyOneByOne,
  })
  const close = (): void => setOpen(null)
  const choose = (to: Visibility): void => {
    close()
    setVisibility(to)
  }
  return (
    <section class="chosen-bar" aria-label={texts.selectedPacks}>
      <p class="tabular">{texts.selectedCount({ n: chosen.length })}</p>
      <span class="chosen-actions">
        <Button icon="hidden" label={texts.visibility} onClick={() => setOpen('visibility')} />
        <Button icon="link" label={texts.copyLinks} onClick={links.copy} />
        <Button icon="download" label={texts.download} onClick={() => setOpen('download')} />
        <Button
          tone="danger"
          icon="trash"
          label={texts.deleteSelected}
          onClick={() => remove(chosen)}
        />
      </span>
      <Button tone="quiet" icon="close" aria-label={texts.clearSelection} onClick={chooseNone} />
      <VisibilityDialog
        packs={chosen}
        isOpen={open === 'visibility'}
        onClose={close}
        onChoose={choose}
      />
      <Dialog
        kind="sheet"
        title={texts.downloadPacks({ n: chosen.length })}
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
  return (
    <ConfirmDialog
      kind="sheet"
      title={texts.whoCanSee({ n: packs.length })}
      isOpen={isOpen}
      isKept
      action={others.length === 0 ? texts.change : texts.changePacks({ n: others.length })}
      tone="primary"
      disabled={others.length === 0}
      onConfirm={() => to !== null && onChoose(to)}
      onCancel={onClose}
    >
      <fieldset class="visibility-choices">
        <legend class="sr-only">{texts.visibility}</legend>
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
                  {already > 0 && [' · ', texts.already({ n: already })]}
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
  if (to === null) return texts.visibilityAlone
  if (others.length === 0) return texts.nothingToChange
  return formatSentences([
    ...(to === 'private' ? [texts.linksStopWorking] : []),
    ...(others.length > FEW
      ? [texts.takesMinutes({ most: FEW, minutes: Math.floor((others.length - 1) / FEW) })]
      : []),
  ])
}
