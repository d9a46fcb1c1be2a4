import * as words from '#texts/common'
import * as texts from '#texts/download-maps'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RoundSlot } from '../../contract/rounds.ts'
import { useAction } from '../action.ts'
import { formatList, formatTenths, now } from '../format.ts'
import { Button, OutsideLink } from '../parts/buttons.tsx'
import { Dialog } from '../parts/dialogs.tsx'
import { PersonText } from '../parts/labels.tsx'
import { announce } from '../parts/toasts.tsx'
import { fileStem } from '../../pool/text.ts'
import type { SlotView } from '../pool/slots.ts'
import { addressOf } from './mirror.ts'
import { type FailureReason, SetDownloads, type SetState } from './set-downloads.ts'
import { openSetStore, type SetStore } from './set-store.ts'
import { linkedSlots, type WantedSet, wantedSets } from './wanted-sets.ts'
import { saveZip } from './zip-sets.ts'
import '../style/maps-dialog.css'

export { openSets } from './open-sets.ts'

type MapsDialogProps = {
  readonly name: string
  readonly slots: readonly SlotView[]
  readonly isBusy: boolean
  /** Slots of the round that the pool was released for. */
  readonly round: readonly RoundSlot[]
  readonly mirrors: readonly string[]
  readonly onClose: () => void
}

/** Loads the sets of a pool one by one, and saves them as one archive. Closing it pauses; what came is kept. */
export function MapsDialog({ name, slots, isBusy, round, mirrors, onClose }: MapsDialogProps) {
  const sets = useMemo(() => wantedSets(slots, round), [slots, round])
  const { downloads, store } = useDownloads(sets, mirrors)
  const linked = linkedSlots(round)
  const unknown = slots.filter(({ beatmap }) => beatmap.state !== 'known')
  const shares = sets.map(({ id }) => shareOf(downloads?.stateOf(id)))
  const close = (): void => {
    downloads?.pause()
    onClose()
  }
  return (
    <Dialog
      title={texts.getMaps}
      isOpen
      kind="wide"
      onClose={close}
      actions={
        downloads !== null &&
        store !== null &&
        sets.length > 0 && <Actions name={name} sets={sets} downloads={downloads} store={store} />
      }
    >
      <p role="status">{downloads && describe(sets, downloads)}</p>
      {store?.isLasting === false && <p class="side-note">{texts.notLasting}</p>}
      <progress
        class="maps-progress"
        aria-label={texts.allSets}
        max={Math.max(1, sets.length)}
        value={shares.reduce((sum, share) => sum + share, 0)}
      />
      <ol class="maps-list" role="list">
        {sets.map((set) => (
          <SetLine
            key={set.id}
            set={set}
            state={downloads?.stateOf(set.id) ?? { state: 'waiting' }}
            mirrors={mirrors}
          />
        ))}
        {linked.map(({ label, title, link }) => (
          <Line key={label} label={label} title={title}>
            <OutsideLink href={link} label={texts.getMap} />
          </Line>
        ))}
      </ol>
      {linked.length > 0 && <p class="side-note">{texts.notInFile}</p>}
      <p class="side-note">
        <a href="/docs/into-the-game#all-maps-as-one-file" target="_blank">
          {texts.whatToDo}
        </a>
      </p>
      {unknown.length > 0 && (
        <p class="side-note">
          {(isBusy ? texts.stillLookingUp : texts.nothingKnown)({
            slots: formatList(unknown.map(({ label }) => label)),
          })}
        </p>
      )}
    </Dialog>
  )
}

function useDownloads(sets: readonly WantedSet[], mirrors: readonly string[]) {
  const [store, setStore] = useState<SetStore | null>(null)
  /** Whose sets were looked for in the store. */
  const [ready, setReady] = useState<SetDownloads | null>(null)
  const [, show] = useState({})
  const frame = useRef(0)
  useEffect(() => void openSetStore(now()).then(setStore), [])
  const downloads = useMemo(() => {
    if (store === null) return null
    // Bytes come more often than anybody can see.
    const onChange = (): void => {
      frame.current ||= requestAnimationFrame(() => {
        frame.current = 0
        show({})
      })
    }
    return new SetDownloads({ mirrors, store, onChange })
  }, [store, mirrors])
  const ids = sets.map(({ id }) => id)
  useEffect(
    () => void downloads?.want(ids).then(() => setReady(downloads)),
    [downloads, ids.join()],
  )
  useEffect(() => () => downloads?.pause(), [downloads])
  return { downloads: ready, store }
}

/** How many sets have come, and what to do about it. */
function describe(sets: readonly WantedSet[], downloads: SetDownloads): string {
  const n = sets.length
  if (n === 0) return texts.noMapKnown
  const { phase, isOffline } = downloads
  const of = (state: SetState['state']): number =>
    sets.filter(({ id }) => downloads.stateOf(id).state === state).length
  const kept = of('kept')
  if (isOffline) return texts.offline({ kept, n })
  if (phase === 'loading') return texts.loading({ kept, n })
  if (phase === 'full') return texts.full({ kept, n })
  if (kept === n) return texts.allHere({ n })
  if (phase === 'paused') return texts.paused({ kept, n })
  if (phase === 'done') return texts.loadedPart({ kept, n, failed: of('failed') })
  return kept > 0 ? texts.loadedEarlier({ kept, n }) : texts.toLoad({ n })
}

type ActionsProps = {
  readonly name: string
  readonly sets: readonly WantedSet[]
  readonly downloads: SetDownloads
  readonly store: SetStore
}

function Actions({ name, sets, downloads, store }: ActionsProps) {
  const saving = useAction()
  const kept = sets.filter(({ id }) => downloads.stateOf(id).state === 'kept')
  const [all, here] = [sets.length, kept.length]
  const { phase } = downloads
  const isLoading = phase === 'loading'
  const isWhole = here === all
  const isDone = isWhole || phase === 'done'
  const save = (): void =>
    saving.run(async () => {
      try {
        const isSaved = await saveZip(`${fileStem(name)}.zip`, kept, store)
        if (isSaved) announce(texts.setsSaved({ n: here }))
      } catch (error) {
        await downloads.refresh()
        throw error
      }
    })
  const startWord =
    phase === 'paused' || phase === 'full'
      ? texts.goOn
      : phase === 'done'
        ? words.retry
        : texts.loadSets({ n: all - here })
  return (
    <>
      {saving.error !== null && (
        <p class="failure-line" role="alert">
          {texts.notWritten}
        </p>
      )}
      {(isLoading || here > 0) && (
        <Button
          tone="quiet"
          label={isLoading ? words.cancel : texts.removeAll}
          busy={saving.isBusy}
          onClick={() => void downloads.cancel()}
        />
      )}
      {isLoading && <Button label={texts.pause} onClick={() => downloads.pause()} />}
      {!isLoading && !isWhole && (
        <Button
          tone={isDone && here > 0 ? 'plain' : 'primary'}
          icon="download"
          label={startWord}
          busy={saving.isBusy}
          onClick={() => void downloads.start()}
        />
      )}
      {!isLoading && here > 0 && (
        <Button
          tone={isDone ? 'primary' : 'plain'}
          label={isWhole ? texts.saveAll : texts.saveSome({ kept: here, all })}
          busy={saving.isBusy}
          onClick={save}
        />
      )}
    </>
  )
}

type LineProps = {
  readonly label: string
  readonly title: string
  readonly bar?: ComponentChildren
  readonly children: ComponentChildren
}

const Line = ({ label, title, bar, children }: LineProps) => (
  <li>
    <b>{label}</b>
    <PersonText text={title} />
    {bar}
    <span class="maps-state">{children}</span>
  </li>
)

type SetLineProps = {
  readonly set: WantedSet
  readonly state: SetState
  readonly mirrors: readonly string[]
}

const SetLine = ({ set, state, mirrors }: SetLineProps) => (
  <Line
    label={set.label}
    title={set.title}
    bar={
      state.state === 'loading' && (
        <progress
          aria-label={set.label}
          {...(state.total && { max: state.total, value: state.received })}
        />
      )
    }
  >
    {state.state === 'waiting' && texts.waiting}
    {state.state === 'loading' && formatSize(state.received)}
    {state.state === 'kept' && `${formatSize(state.size)} ✓`}
    {state.state === 'failed' && <Failed set={set} reason={state.reason} mirrors={mirrors} />}
  </Line>
)

type FailedProps = Pick<SetLineProps, 'set' | 'mirrors'> & { readonly reason: FailureReason }

const reasonWords: Readonly<Record<FailureReason, string>> = {
  lacking: texts.lacking,
  unreachable: texts.unreachable,
  unkept: texts.unkept,
}

/** Why a set is not there, and where else it can be had. */
function Failed({ set: { id, links }, reason, mirrors }: FailedProps) {
  // A mirror that this page cannot read may answer to a press.
  const byHand = reason === 'lacking' ? [] : mirrors.slice(0, 1)
  return (
    <>
      {reasonWords[reason]}
      {links.map((link) => (
        <OutsideLink key={link} href={link} label={texts.fromHosts} />
      ))}
      {byHand.map((mirror) => (
        <a key={mirror} href={addressOf(mirror, id)} target="_blank" rel="noreferrer">
          {texts.fromMirror}
        </a>
      ))}
      <a href={`https://osu.ppy.sh/beatmapsets/${id}`} target="_blank" rel="noreferrer">
        {texts.itsPage}
      </a>
    </>
  )
}

const formatSize = (bytes: number): string =>
  bytes < 100_000
    ? texts.kilobytes({ size: String(Math.ceil(bytes / 1_000)) })
    : texts.megabytes({ size: formatTenths(bytes / 1_000_000) })

function shareOf(state: SetState | undefined): number {
  if (state?.state === 'kept') return 1
  return state?.state === 'loading' && state.total !== null ? state.received / state.total : 0
}
