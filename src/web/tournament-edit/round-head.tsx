import { useState } from 'preact/hooks'
import {
  MAX_BANS,
  MAX_TARGET_BPM,
  MAX_TARGET_KEYS,
  MAX_TARGET_LENGTH,
  MAX_TARGET_STARS,
  NAME_LENGTH,
} from '../../contract/bounds.ts'
import type { Ruleset } from '../../contract/mods.ts'
import type { RoundTargets } from '../../contract/rounds.ts'
import { useAskedAction } from '../action.ts'
import { cellWords, fieldCell } from '../editing/changes.ts'
import { CommitField, type Reading } from '../editing/fields.tsx'
import { count, formatLength, formatRange } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { Select } from '../parts/inputs.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { announce } from '../parts/toasts.tsx'
import { stateOfRound, type WorkspaceProps } from './model.ts'
import { discussionId, type RoundModel, WHOLE_ROUND } from './round-model.ts'
import { readRoundName } from './rounds-nav.tsx'

export type RoundProps = { readonly round: RoundModel }

/** The name of a round, what is set of it, and the remarks on it as a whole. */
export function RoundHead({ round, workspace }: RoundProps & WorkspaceProps) {
  const { name } = round.store.edit
  const { drafts, hosts } = round.rights.value
  const removing = useAskedAction<string>()
  const remarks = round.remarks.value.get(WHOLE_ROUND) ?? []
  const open = remarks.filter(({ settled }) => !settled).length
  const isOpen = round.open.value === WHOLE_ROUND
  const state = stateOfRound(round.store.saved)
  const discussion = (
    <Button
      id={discussionId(WHOLE_ROUND, 'discussion-button')}
      tone="quiet"
      icon="discussion"
      aria-expanded={isOpen}
      onClick={() => round.toggle(null)}
    >
      {open === 0 ? 'Remarks' : count(open, 'open remark')}
    </Button>
  )
  if (!drafts) {
    return (
      <header class="round-head">
        <h2>
          <PersonText text={name} />
        </h2>
        {discussion}
      </header>
    )
  }
  return (
    <header class="round-head">
      <h2 class="sr-only">{shownText(name)}</h2>
      <CommitField
        isShared
        class="round-name-field"
        aria-label="Name of the round"
        maxLength={NAME_LENGTH}
        text={name}
        read={(text) => readRoundName(text, workspace.tournament.rounds, round.id)}
        onCommit={(name, seen) => round.setField('name', seen, name)}
      />
      {discussion}
      {(hosts || state === 'draft') && (
        <Button
          tone="quiet"
          icon="trash"
          aria-label="Delete the round"
          title="Delete the round"
          onClick={() => removing.ask(name)}
        />
      )}
      <RoundFields round={round} workspace={workspace} />
      <ConfirmDialog
        title="Delete this round?"
        isOpen={removing.asked !== null}
        action="Delete round"
        busy={removing.isBusy}
        onCancel={removing.close}
        onConfirm={() =>
          removing.run(async () => {
            await workspace.deleteRound(round.id)
            removing.close()
            announce('Round deleted')
          })
        }
      >
        <p>
          <PersonText within="b" text={name} /> and everything that was said of it will be deleted
          for good. {state === 'released' && 'Its pack will be deleted, too.'}
        </p>
        <FailureLine error={removing.error}>The round was not deleted.</FailureLine>
      </ConfirmDialog>
    </header>
  )
}

const numbers = {
  bestOf: Array.from({ length: 12 }, (_, at) => String(2 * at + 1)),
  bans: Array.from({ length: MAX_BANS + 1 }, (_, at) => String(at)),
}

function RoundFields({ round, workspace }: RoundProps & WorkspaceProps) {
  const { packName, targets } = round.store.edit
  const { name, shortName, ruleset } = workspace.tournament
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      class="round-fields"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{factsText(round)}</summary>
      <div class="round-fields-grid">
        {(['bestOf', 'bans'] as const).map((name) => {
          const { [name]: value } = round.store.edit
          return (
            <label key={name}>
              {cellWords(fieldCell(name))}
              <Select
                value={String(value ?? '')}
                options={[['', 'Not set'], ...numbers[name].map((each) => [each, each] as const)]}
                onPick={(next) =>
                  round.setField(name, value, next === '' ? undefined : Number(next))
                }
              />
            </label>
          )
        })}
        {rangesFor(ruleset, targets).map((range) => (
          <RangeField key={range.of} round={round} targets={targets} range={range} />
        ))}
        <label class="round-pack-name">
          Name of the pack
          <CommitField
            isShared
            maxLength={NAME_LENGTH}
            placeholder={`${shortName ?? name} ${round.store.edit.name}`}
            text={packName ?? ''}
            read={(text): Reading<string | undefined> => ({ value: text.trim() || undefined })}
            onCommit={(value, seen) => round.setField('packName', seen || undefined, value)}
          />
        </label>
      </div>
    </details>
  )
}

type TargetRange = {
  readonly of: keyof RoundTargets
  readonly name: string
  readonly least: number
  readonly most: number
  readonly isWhole?: true
  /** After a value. */
  readonly unit: string
  readonly show: (value: number) => string
}

const ranges: readonly TargetRange[] = [
  { of: 'stars', name: 'Stars', least: 0, most: MAX_TARGET_STARS, unit: '★', show: String },
  { of: 'length', name: 'Length', least: 0, most: MAX_TARGET_LENGTH, unit: '', show: formatLength },
  { of: 'bpm', name: 'BPM', least: 0, most: MAX_TARGET_BPM, unit: ' BPM', show: String },
  {
    of: 'keys',
    name: 'Keys',
    least: 1,
    most: MAX_TARGET_KEYS,
    isWhole: true,
    unit: ' keys',
    show: String,
  },
]

/** Keys are for mania; elsewhere they are shown where they are set, to be removed. */
const rangesFor = (ruleset: Ruleset, targets: RoundTargets = {}): readonly TargetRange[] =>
  ranges.filter(({ of }) => of !== 'keys' || ruleset === 'mania' || targets.keys !== undefined)

/** What the beatmaps of the round should be: `5.4 – 6.3`; either end may be empty. */
function RangeField({
  round,
  targets = {},
  range,
}: RoundProps & { readonly targets: RoundTargets | undefined; readonly range: TargetRange }) {
  const { of, name, show } = range
  const ends = targets[of] ?? {}
  const set = (end: 'min' | 'max', value: number | null): void => {
    const { [end]: _, ...others } = ends
    const next = value === null ? others : { ...others, [end]: value }
    const { [of]: __, ...rest } = targets
    const all = Object.keys(next).length === 0 ? rest : { ...rest, [of]: next }
    const isNone = Object.keys(all).length === 0
    round.setField('targets', round.store.edit.targets, isNone ? undefined : all)
  }
  const end = (which: 'min' | 'max', words: string) => (
    <CommitField
      isShared
      aria-label={`${name}, ${words}`}
      placeholder={words}
      text={ends[which] === undefined ? '' : show(ends[which])}
      read={(text) => readTarget(text, range)}
      onCommit={(value) => set(which, value)}
    />
  )
  return (
    <fieldset class="round-range">
      <legend>{name}</legend>
      {end('min', 'from')}
      <span aria-hidden="true">–</span>
      {end('max', 'to')}
    </fieldset>
  )
}

/** `5.4`, `4:30` as seconds; nothing is no bound. */
export function readTarget(
  text: string,
  { least, most, isWhole = false }: Pick<TargetRange, 'least' | 'most'> & { isWhole?: boolean },
): Reading<number | null> {
  const typed = text.trim().replace(',', '.')
  if (typed === '') return { value: null }
  const [, minutes, seconds] = /^(\d{1,3}):([0-5]\d)$/.exec(typed) ?? []
  const value = seconds === undefined ? Number(typed) : Number(minutes) * 60 + Number(seconds)
  if (value >= least && value <= most && (!isWhole || Number.isInteger(value))) return { value }
  return { reason: `Enter a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.` }
}

function factsText({ store }: RoundModel): string {
  const { bestOf, bans, targets = {} } = store.edit
  const found = ranges.flatMap(({ of, unit, show }) => {
    const { min, max } = targets[of] ?? {}
    if (min === undefined && max === undefined) return []
    if (min === undefined) return [`up to ${show(max!)}${unit}`]
    if (max === undefined) return [`from ${show(min)}${unit}`]
    return [`${formatRange([min, max], show)}${unit}`]
  })
  const all = [
    ...(bestOf === undefined ? [] : [`Best of ${bestOf}`]),
    ...(bans === undefined ? [] : [count(bans, 'ban')]),
    ...found,
  ]
  return all.length === 0 ? 'Best of, bans, targets, pack name' : all.join(' · ')
}
