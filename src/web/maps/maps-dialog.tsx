import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RoundSlot } from '../../contract/rounds.ts'
import { useAction } from '../action.ts'
import { count, now } from '../format.ts'
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
      title="Get the maps"
      isOpen
      kind="wide"
      onClose={close}
      actions={
        downloads !== null &&
        store !== null &&
        sets.length > 0 && <Actions name={name} sets={sets} downloads={downloads} store={store} />
      }
    >
      <p role="status">{downloads && wordsOf(sets, downloads)}</p>
      {store?.isLasting === false && (
        <p class="side-note">
          This browser keeps no files for the site, because the window is private or the address is
          without https. The maps are in its memory until the page is closed.
        </p>
      )}
      <progress
        class="maps-progress"
        aria-label="All sets"
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
            <OutsideLink href={link} label="Get the map" />
          </Line>
        ))}
      </ol>
      {linked.length > 0 && (
        <p class="side-note">
          Maps that are not on the platform yet are not in the file: get them from where the hosts
          have put them.
        </p>
      )}
      <p class="side-note">
        <a href="/docs/into-the-game#all-maps-as-one-file" target="_blank">
          What to do with the file
        </a>
      </p>
      {unknown.length > 0 && (
        <p class="side-note">
          {isBusy ? 'Still looking up ' : 'Nothing is known of '}
          {unknown.map(({ label }) => label).join(', ')}
          {isBusy ? ' …' : ': their maps are not in the file.'}
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

function wordsOf(sets: readonly WantedSet[], downloads: SetDownloads): string {
  const all = sets.length
  if (all === 0) return 'No map of this pool is known yet.'
  const { phase, isOffline } = downloads
  const of = (state: SetState['state']): number =>
    sets.filter(({ id }) => downloads.stateOf(id).state === state).length
  const kept = of('kept')
  const part = `${kept} of ${count(all, 'set')}`
  if (isOffline) return `You are offline: ${part} loaded. The others follow when you are back.`
  if (phase === 'loading') return `Loading: ${part} loaded.`
  if (phase === 'full')
    return `The storage of your browser is full: ${part} loaded. Save them, or free some space.`
  if (kept === all && all === 1) return 'The set is here. Save it as a file.'
  if (kept === all) return `All ${count(all, 'set')} are here. Save them as one file.`
  if (phase === 'paused') return `Paused: ${part} loaded.`
  if (phase === 'done') {
    const [verb, named] = [all === 1 ? 'is' : 'are', of('failed') === 1 ? 'It is' : 'They are']
    return `${part} ${verb} here; ${of('failed')} could not be loaded. ${named} named below.`
  }
  if (kept > 0) return `${part} loaded earlier.`
  return `${count(all, 'set')}, each loaded once from the mirrors of this site.`
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
        if (isSaved) announce(`${count(here, 'set')} saved`)
      } catch (error) {
        await downloads.refresh()
        throw error
      }
    })
  const startWord =
    phase === 'paused' || phase === 'full'
      ? 'Go on'
      : phase === 'done'
        ? 'Try again'
        : `Load ${count(all - here, 'set')}`
  return (
    <>
      {saving.error !== null && (
        <p class="failure-line" role="alert">
          The file could not be written. What your browser still keeps is shown above.
        </p>
      )}
      {(isLoading || here > 0) && (
        <Button
          tone="quiet"
          label={isLoading ? 'Cancel' : 'Remove from this browser'}
          disabled={saving.isBusy}
          onClick={() => void downloads.cancel()}
        />
      )}
      {isLoading && <Button label="Pause" onClick={() => downloads.pause()} />}
      {!isLoading && !isWhole && (
        <Button
          tone={isDone && here > 0 ? 'plain' : 'primary'}
          icon="download"
          label={startWord}
          disabled={saving.isBusy}
          onClick={() => void downloads.start()}
        />
      )}
      {!isLoading && here > 0 && (
        <Button
          tone={isDone ? 'primary' : 'plain'}
          label={isWhole ? 'Save as one file' : `Save ${here} of ${all}`}
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
    {state.state === 'waiting' && 'Waiting'}
    {state.state === 'loading' && sizeWords(state.received)}
    {state.state === 'kept' && `${sizeWords(state.size)} ✓`}
    {state.state === 'failed' && <Failed set={set} reason={state.reason} mirrors={mirrors} />}
  </Line>
)

type FailedProps = Pick<SetLineProps, 'set' | 'mirrors'> & { readonly reason: FailureReason }

const reasonWords: Readonly<Record<FailureReason, string>> = {
  lacking: 'No mirror has it',
  unreachable: 'No mirror could serve it',
  unkept: 'Your browser could not store it',
}

/** Why a set is not there, and where else it can be had. */
function Failed({ set: { id, links }, reason, mirrors }: FailedProps) {
  // A mirror that this page cannot read may answer to a press.
  const byHand = reason === 'lacking' ? [] : mirrors.slice(0, 1)
  return (
    <>
      {reasonWords[reason]}.
      {links.map((link) => (
        <OutsideLink key={link} href={link} label="From the hosts" />
      ))}
      {byHand.map((mirror) => (
        <a key={mirror} href={addressOf(mirror, id)} target="_blank" rel="noreferrer">
          From the mirror
        </a>
      ))}
      <a href={`https://osu.ppy.sh/beatmapsets/${id}`} target="_blank" rel="noreferrer">
        Its page
      </a>
    </>
  )
}

const sizeWords = (bytes: number): string =>
  bytes < 100_000 ? `${Math.ceil(bytes / 1_000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`

function shareOf(state: SetState | undefined): number {
  if (state?.state === 'kept') return 1
  return state?.state === 'loading' && state.total !== null ? state.received / state.total : 0
}
