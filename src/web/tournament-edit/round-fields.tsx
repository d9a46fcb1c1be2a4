import * as words from '#texts/common'
import * as texts from '#texts/workspace'
import { useState } from 'preact/hooks'
import {
  isHttpsLink,
  LINK_LENGTH,
  MAX_BANS,
  MAX_TARGET_BPM,
  MAX_TARGET_KEYS,
  MAX_TARGET_LENGTH,
  MAX_TARGET_STARS,
  NAME_LENGTH,
} from '../../contract/bounds.ts'
import type { Ruleset } from '../../contract/mods.ts'
import type { Round, RoundTargets } from '../../contract/rounds.ts'
import { plainDigits } from '../../pool/text.ts'
import { CommitField, type Reading } from '../editing/fields.tsx'
import { fieldNames } from '../field-names.ts'
import { formatDecimal, formatLength, formatNumber, formatRange } from '../format.ts'
import { Select } from '../parts/inputs.tsx'
import type { WorkspaceProps } from './model.ts'
import type { RoundModel } from './round-model.ts'

export type RoundProps = { readonly round: RoundModel }

/** Links of a round, each with an example. */
export const roundLinks = [
  ['mapPackUrl', 'https://files.example/finals.zip'],
  ['showcaseUrl', 'https://videos.example/finals'],
] as const

/** The same as fields; hosts alone set them, and no release is needed (D-85). */
const LinkFields = ({ round }: RoundProps) => (
  <fieldset class="round-link-fields" aria-describedby="round-links-note">
    {roundLinks.map(([field, example]) => {
      const { [field]: href } = round.store.edit
      return (
        <label key={field}>
          {fieldNames[field]}
          <CommitField
            isShared
            inputMode="url"
            maxLength={LINK_LENGTH}
            placeholder={example}
            text={href ?? ''}
            read={readLink}
            onCommit={(value, seen) => round.setField(field, seen || undefined, value)}
          />
        </label>
      )
    })}
    <p id="round-links-note" class="side-note">
      {round.store.saved.packSlug === undefined ? texts.linksShownLater : texts.linksShownNow}
    </p>
  </fieldset>
)

/** Where something can be had; nothing is no link. */
export function readLink(text: string): Reading<string | undefined> {
  const value = text.trim()
  if (value === '') return { value: undefined }
  if (value.length > LINK_LENGTH) return { reason: texts.tooLong({ most: LINK_LENGTH }) }
  return isHttpsLink(value) ? { value } : { reason: texts.enterLink }
}

const numbers = {
  bestOf: Array.from({ length: 12 }, (_, at) => String(2 * at + 1)),
  bans: Array.from({ length: MAX_BANS + 1 }, (_, at) => String(at)),
}

/** The fields of a round other than its name and its pool. */
export function RoundFields({ round, workspace }: RoundProps & WorkspaceProps) {
  const { packName, targets } = round.store.edit
  const { name, shortName, ruleset } = workspace.tournament
  const [isOpen, setOpen] = useState(false)
  const facts = factsOf(round.store.edit)
  return (
    <details
      class="round-fields"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{facts.length === 0 ? texts.whatCanBeSet : facts.join(' · ')}</summary>
      <div class="round-fields-grid">
        {(['bestOf', 'bans'] as const).map((name) => {
          const { [name]: value } = round.store.edit
          return (
            <label key={name}>
              {fieldNames[name]}
              <Select
                value={String(value ?? '')}
                options={[
                  ['', texts.notSet],
                  ...numbers[name].map((each) => [each, each] as const),
                ]}
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
          {fieldNames.packName}
          <CommitField
            isShared
            maxLength={NAME_LENGTH}
            placeholder={`${shortName ?? name} ${round.store.edit.name}`}
            text={packName ?? ''}
            read={(text): Reading<string | undefined> => ({ value: text.trim() || undefined })}
            onCommit={(value, seen) => round.setField('packName', seen || undefined, value)}
          />
        </label>
        {round.rights.value.hosts && <LinkFields round={round} />}
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
  /** As it is typed. */
  readonly show: (value: number) => string
  /** As it is read. */
  readonly write: (value: number) => string
  /** A value or a range with its unit. */
  readonly withUnit: (value: string) => string
}

const ranges: readonly TargetRange[] = [
  {
    of: 'stars',
    name: words.stars,
    least: 0,
    most: MAX_TARGET_STARS,
    show: String,
    write: formatDecimal,
    withUnit: (value) => `${value}★`,
  },
  {
    of: 'length',
    name: words.length,
    least: 0,
    most: MAX_TARGET_LENGTH,
    show: formatLength,
    write: formatLength,
    withUnit: String,
  },
  {
    of: 'bpm',
    name: words.bpm,
    least: 0,
    most: MAX_TARGET_BPM,
    show: String,
    write: formatDecimal,
    withUnit: (value) => texts.bpmCount({ range: value }),
  },
  {
    of: 'keys',
    name: texts.keys,
    least: 1,
    most: MAX_TARGET_KEYS,
    isWhole: true,
    show: String,
    write: formatNumber,
    withUnit: (value) => texts.keyCount({ range: value }),
  },
]

/** Keys are for mania; elsewhere they are shown where they are set, to be removed. */
const rangesFor = (ruleset: Ruleset, targets: RoundTargets = {}): readonly TargetRange[] =>
  ranges.filter(({ of }) => of !== 'keys' || ruleset === 'mania' || targets.keys !== undefined)

type End = 'min' | 'max'

/** What the beatmaps of the round should be: `5.4 – 6.3`; either end may be empty. */
function RangeField({
  round,
  targets = {},
  range,
}: RoundProps & { readonly targets: RoundTargets | undefined; readonly range: TargetRange }) {
  const { of, name, show } = range
  const ends = targets[of] ?? {}
  const shown = (end: End): string => (ends[end] === undefined ? '' : show(ends[end]))
  const withEnd = (end: End, value: number | null): RoundTargets | undefined => {
    const { [end]: _, ...others } = ends
    const next = value === null ? others : { ...others, [end]: value }
    const { [of]: __, ...rest } = targets
    const all = Object.keys(next).length === 0 ? rest : { ...rest, [of]: next }
    return Object.keys(all).length === 0 ? undefined : all
  }
  // What others have made of other ends since is no conflict.
  const set = (end: End, value: number | null, seen: string): void => {
    const was = readTarget(seen, range)
    const before = 'value' in was ? was.value : null
    const from = seen === shown(end) ? (ends[end] ?? null) : before
    round.setField('targets', withEnd(end, from), withEnd(end, value))
  }
  const end = (which: End, name: string, hint: string) => (
    <CommitField
      isShared
      aria-label={name}
      placeholder={hint}
      text={shown(which)}
      read={(text) => readTarget(text, range)}
      onCommit={(value, seen) => set(which, value, seen)}
    />
  )
  return (
    <fieldset class="round-range">
      <legend>{name}</legend>
      {end('min', texts.lowerEnd({ what: name }), texts.from)}
      <span aria-hidden="true">–</span>
      {end('max', texts.upperEnd({ what: name }), texts.to)}
    </fieldset>
  )
}

/** `5.4`, `4:30` as seconds; nothing is no bound. */
function readTarget(
  text: string,
  { least, most, isWhole = false }: Pick<TargetRange, 'least' | 'most'> & { isWhole?: boolean },
): Reading<number | null> {
  const typed = plainDigits(text).normalize('NFKC').trim().replace(/[,٫]/, '.')
  if (typed === '') return { value: null }
  const isLength = /^(?:\d{1,2}:)?\d{1,3}:[0-5]\d$/.test(typed)
  const value = isLength
    ? typed.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
    : Number(typed)
  if (value >= least && value <= most && (!isWhole || Number.isInteger(value))) return { value }
  const enter = isWhole ? texts.enterWholeNumber : texts.enterNumber
  return { reason: enter({ least, most }) }
}

/** The targets as the site writes them: `5.4–6.3★`, `up to 5:00`. */
export const targetWords = (targets: RoundTargets = {}): string[] =>
  ranges.flatMap(({ of, write, withUnit }) => {
    const { min, max } = targets[of] ?? {}
    if (min === undefined && max === undefined) return []
    if (min === undefined) return [texts.upToValue({ value: withUnit(write(max!)) })]
    if (max === undefined) return [texts.fromValue({ value: withUnit(write(min)) })]
    return [withUnit(formatRange([min, max], write))]
  })

/** What is set of a round, in words. */
export const factsOf = ({ bestOf, bans, targets }: Pick<Round, 'bestOf' | 'bans' | 'targets'>) => [
  ...(bestOf === undefined ? [] : [texts.bestOfMaps({ n: bestOf })]),
  ...(bans === undefined ? [] : [texts.banCount({ n: bans })]),
  ...targetWords(targets),
]
