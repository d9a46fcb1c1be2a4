import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useAction } from '../action.ts'
import { count, now } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { Dialog } from '../parts/dialogs.tsx'
import { PersonText } from '../parts/labels.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { announce } from '../parts/toasts.tsx'
import { fileStem } from '../pool/downloads.tsx'
import type { SlotView } from '../pool/slots.ts'
import { type Phase, SetDownloads, type SetState, type WantedSet } from './set-downloads.ts'
import { openSetStore, type SetStore } from './set-store.ts'
import { saveZip } from './zip-sets.ts'
import '../style/maps-dialog.css'

type MapsDialogProps = {
  readonly name: string
  readonly slots: readonly SlotView[]
  readonly isBusy: boolean
  readonly mirrors: readonly string[]
  readonly onClose: () => void
}

/** Loads the sets of a pool one by one, and saves them as one archive. Closing it pauses; what came stays for later. */
export function MapsDialog({ name, slots, isBusy, mirrors, onClose }: MapsDialogProps) {
  const wanted = useMemo(() => wantedSets(slots), [slots])
  const { sets, downloads, store, error } = useDownloads(wanted, mirrors)
  const saving = useAction()
  const phase = downloads?.phase ?? 'idle'
  const states = sets.map((set) => downloads?.stateOf(set.id) ?? waiting)
  const kept = sets.filter((_, at) => states[at]?.state === 'kept')
  const lacking = sets.filter((_, at) => states[at]?.state === 'failed')
  const unknown = slots.filter(({ beatmap }) => beatmap.state !== 'known')

  const save = (): void =>
    saving.run(async () => {
      if (store === null) return
      const isSaved = await saveZip(`${fileStem(name)}.zip`, kept, store)
      if (isSaved) announce(`${count(kept.length, 'set')} saved`)
    })
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
        downloads !== null && (
          <Actions
            downloads={downloads}
            phase={phase}
            kept={kept.length}
            all={sets.length}
            isSaving={saving.isBusy}
            onSave={save}
          />
        )
      }
    >
      <p role="status">
        {error === null
          ? wordsOf(phase, kept.length, sets.length, lacking.length)
          : 'Your browser keeps no files for this site: private windows and addresses without https are refused.'}
      </p>
      <progress
        class="maps-progress"
        aria-label="All sets"
        max={sets.length}
        value={states.reduce((sum, state) => sum + shareOf(state), 0)}
      />
      <FailureLine error={saving.error}>The sets are still kept in this browser.</FailureLine>
      <ol class="maps-list" role="list">
        {sets.map((set, at) => (
          <SetLine key={set.id} set={set} state={states[at]!} />
        ))}
      </ol>
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

const waiting: SetState = { state: 'waiting' }

/** @param wanted is not looked at while a download is under way: what becomes known then would begin another one. */
function useDownloads(wanted: readonly NamedSet[], mirrors: readonly string[]) {
  const known = useRef<readonly NamedSet[]>([])
  const latest = useRef<SetDownloads | null>(null)
  const isUnderWay = (latest.current?.phase ?? 'idle') !== 'idle'
  const idsOf = (sets: readonly NamedSet[]): string => sets.map(({ id }) => id).join()
  if (!isUnderWay && idsOf(wanted) !== idsOf(known.current)) known.current = wanted
  const sets = known.current
  const [store, setStore] = useState<SetStore | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [, show] = useState({})
  const frame = useRef(0)
  useEffect(() => void openSetStore(now()).then(setStore, setError), [])
  const downloads = useMemo(() => {
    if (store === null) return null
    // Bytes come more often than anybody can see.
    const onChange = (): void => {
      frame.current ||= requestAnimationFrame(() => {
        frame.current = 0
        show({})
      })
    }
    return new SetDownloads({ sets, mirrors, store, onChange })
  }, [store, sets, mirrors])
  useEffect(() => {
    latest.current = downloads
    void downloads?.open()
    return () => downloads?.pause()
  }, [downloads])
  return { sets, downloads, store, error }
}

function wordsOf(phase: Phase, kept: number, all: number, lacking: number): string {
  const part = `${kept} of ${count(all, 'set')}`
  if (phase === 'loading') return `Loading: ${part} kept in this browser.`
  if (phase === 'full')
    return `The storage of your browser is full: ${part} kept. Save them, or free some space.`
  if (kept === all) return `All ${count(all, 'set')} are here. Save them as one file.`
  if (phase === 'paused') return `Paused: ${part} kept in this browser.`
  if (phase === 'done')
    return `${part} are here; ${lacking} could not be loaded. They are named below.`
  if (kept > 0) return `${part} kept from an earlier download.`
  return `${count(all, 'set')}, each loaded once from the mirrors of this site.`
}

type ActionsProps = {
  readonly downloads: SetDownloads
  readonly phase: Phase
  readonly kept: number
  readonly all: number
  readonly isSaving: boolean
  readonly onSave: () => void
}

function Actions({ downloads, phase, kept, all, isSaving, onSave }: ActionsProps) {
  const isLoading = phase === 'loading'
  const isWhole = kept === all
  const startWord =
    phase === 'paused' || phase === 'full' ? 'Go on' : phase === 'done' ? 'Try again' : 'Load'
  return (
    <>
      {(isLoading || kept > 0) && (
        <Button tone="quiet" label="Cancel" onClick={() => void downloads.cancel()} />
      )}
      {isLoading && <Button label="Pause" onClick={() => downloads.pause()} />}
      {!isLoading && !isWhole && all > 0 && (
        <Button
          tone={kept > 0 && phase === 'done' ? 'plain' : 'primary'}
          icon="download"
          label={startWord === 'Load' ? `Load ${count(all - kept, 'set')}` : startWord}
          onClick={() => void downloads.start()}
        />
      )}
      {!isLoading && kept > 0 && (
        <Button
          tone={isWhole || phase === 'done' ? 'primary' : 'plain'}
          label={isWhole ? 'Save as one file' : `Save ${kept} of ${all}`}
          busy={isSaving}
          onClick={onSave}
        />
      )}
    </>
  )
}

function SetLine({ set, state }: { readonly set: NamedSet; readonly state: SetState }) {
  return (
    <li>
      <b>{set.label}</b>
      <PersonText text={set.title} />
      {state.state === 'loading' && (
        <progress
          aria-label={set.label}
          {...(state.total && { max: state.total, value: state.received })}
        />
      )}
      <span class="maps-state">
        <StateWords id={set.id} state={state} />
      </span>
    </li>
  )
}

function StateWords({ id, state }: { readonly id: number; readonly state: SetState }) {
  if (state.state === 'waiting') return <>Waiting</>
  if (state.state === 'loading') return <>{megabytes(state.received)}</>
  if (state.state === 'kept') return <>{megabytes(state.size)} ✓</>
  const why = state.reason === 'lacking' ? 'No mirror has it' : 'No mirror could be reached'
  return (
    <>
      {why}.{' '}
      <a href={`https://osu.ppy.sh/beatmapsets/${id}`} target="_blank" rel="noreferrer">
        Its page
      </a>
    </>
  )
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

function shareOf(state: SetState): number {
  if (state.state === 'kept') return 1
  return state.state === 'loading' && state.total !== null ? state.received / state.total : 0
}

/** A set as the reader sees it. */
type NamedSet = WantedSet & {
  /** Its slots: `NM1, DT2`. */
  readonly label: string
  /** `Nine Rivers – Harbour`. */
  readonly title: string
  /** In the archive: names sort as the pool does. */
  readonly name: string
}

const MOST_OF_NAME = 100

/** The sets of a pool, each once, where its first slot is; slots whose beatmap is not known have none yet. */
function wantedSets(slots: readonly SlotView[]): readonly NamedSet[] {
  const known = slots.flatMap(({ label, beatmap }) =>
    beatmap.state === 'known' ? [{ label, ...beatmap.details }] : [],
  )
  const digits = String(slots.length).length
  return [...Map.groupBy(known, ({ setId }) => setId)].map(([id, [first, ...others]], at) => {
    const { label, artist, title } = first!
    const place = String(at + 1).padStart(digits, '0')
    const stem = fileStem(`${place} ${label} ${id} ${artist} - ${title}`)
    return {
      id,
      label: [label, ...others.map((each) => each.label)].join(', '),
      title: `${artist} – ${title}`,
      // Not in the middle of a character.
      name: `${stem
        .slice(0, MOST_OF_NAME)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd()}.osz`,
    }
  })
}
