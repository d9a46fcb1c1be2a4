import * as texts from '#texts/tournament-settings'
import { useRef, useState } from 'preact/hooks'
import * as bounds from '../../contract/bounds.ts'
import type { Tournament, TournamentField, TournamentPatch } from '../../contract/tournaments.ts'
import { useAction } from '../action.ts'
import { formatRuleset } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { rulesetOptions, Select, TextInput } from '../parts/inputs.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { announce, leaveFor } from '../parts/toasts.tsx'
import { takeTyped } from '../parts/typed-text.ts'
import { plainDigits } from '../../pool/text.ts'
import { poolsCall } from '../pools-api.ts'
import { orLeave } from '../tournament-staff/roles.ts'
import { Announcements } from './announcements.tsx'
import type { WorkspaceProps } from './model.ts'

type SettingsProps = WorkspaceProps & { readonly onClose: () => void }

const textFields = {
  name: { label: texts.name, most: bounds.NAME_LENGTH },
  shortName: { label: texts.shortName, most: bounds.SHORT_NAME_LENGTH },
  description: { label: texts.description, most: bounds.DESCRIPTION_LENGTH },
  link: { label: texts.link, most: bounds.LINK_LENGTH },
} as const
const numbers = {
  year: { label: texts.year, least: bounds.FIRST_YEAR, most: bounds.LAST_YEAR },
  rankMin: { label: texts.rankFrom, least: 1, most: bounds.MAX_RANK },
  rankMax: { label: texts.rankTo, least: 1, most: bounds.MAX_RANK },
} as const

const fields = { ...textFields, ...numbers }
/** What can have more than two values: of two, others have made the same of it. */
const labels = { ...fields, ruleset: { label: texts.ruleset } } as const

/** What hosts may set, numbers as they are typed. */
type Form = {
  readonly [F in TournamentField]: F extends keyof typeof fields ? string : Required<Tournament>[F]
}

/** What hosts set of a tournament. Only what they change is sent. */
export function SettingsDialog({ workspace, onClose }: SettingsProps) {
  const { tournament } = workspace
  const [before, setBefore] = useState(() => formOf(tournament))
  const [form, setForm] = useState(before)
  const typed = useRef(form)
  typed.current = form
  const { isBusy, error, run } = useAction(orLeave(workspace.tournament))
  const set = (changes: Partial<Form>): void => setForm({ ...form, ...changes })
  const patch = patchOf(before, form)
  const problem = problemOf(form)
  const hasChanges = Object.keys(patch).length > 0
  /** What was told of the others' changes. */
  const [told, setTold] = useState('')
  const save = (event?: Event): void => {
    event?.preventDefault()
    if (!hasChanges || problem !== null) return
    run(async () => {
      const { slug } = workspace
      const { tournament: now } = await poolsCall('getTournament', { slug })
      const theirs = changedByOthers(before, form, formOf(now))
      setTold(theirs)
      if (theirs !== told) return
      const { tournament: saved } = await poolsCall('updateTournament', { slug, body: patch })
      workspace.putTournament(saved)
      announce(texts.saved)
      if (typed.current === form) return onClose()
      // What has been typed since it was sent stays.
      setBefore(formOf(saved))
      setForm({ ...formOf(saved), ...changesOf(form, typed.current) })
    })
  }
  const text = (field: keyof typeof textFields, placeholder = '') => (
    <label class={`settings-${field}`}>
      {textFields[field].label}
      <TextInput
        maxLength={textFields[field].most}
        value={form[field]}
        onText={(value) => set({ [field]: value })}
        placeholder={placeholder}
      />
    </label>
  )
  const number = (field: keyof typeof numbers) => (
    <label>
      {numbers[field].label}
      <TextInput
        inputMode="numeric"
        maxLength={8}
        value={form[field]}
        onText={(value) => set({ [field]: plainDigits(value) })}
      />
    </label>
  )
  const check = (
    isChecked: boolean,
    onCheck: (isOn: boolean) => void,
    name: string,
    what: string,
  ) => (
    <label class="settings-check">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={({ currentTarget }) => onCheck(currentTarget.checked)}
      />
      <span>
        {name}
        <span class="quiet-text">{what}</span>
      </span>
    </label>
  )
  return (
    <ConfirmDialog
      title={texts.settings}
      isOpen
      kind="sheet"
      action={texts.save}
      tone="primary"
      busy={isBusy}
      disabled={!hasChanges || problem !== null}
      onConfirm={save}
      onCancel={onClose}
    >
      <form class="settings" onSubmit={save}>
        {text('name')}
        {text('shortName', texts.usedInPackNames)}
        <label class="settings-description">
          {textFields.description.label}
          <textarea
            class="field"
            dir="auto"
            rows={2}
            maxLength={textFields.description.most}
            value={form.description}
            onInput={({ currentTarget }) => set({ description: currentTarget.value })}
          />
        </label>
        {text('link', 'https://')}
        <label>
          {texts.ruleset}
          <Select
            value={form.ruleset}
            options={rulesetOptions}
            onPick={(ruleset) => set({ ruleset })}
          />
        </label>
        {number('year')}
        {number('rankMin')}
        {number('rankMax')}
        {check(
          form.visibility === 'public',
          (isPublic) => set({ visibility: isPublic ? 'public' : 'private' }),
          texts.isPublic,
          texts.publicMeans,
        )}
        {check(
          form.announceRounds,
          (announceRounds) => set({ announceRounds }),
          texts.announceRounds,
          texts.announceRoundsMeans,
        )}
        <button type="submit" hidden />
      </form>
      <p class="edit-danger" role="alert">
        {hasChanges && problem}
        {problem === null && told !== '' && texts.changedMeanwhile({ theirs: told })}
      </p>
      <FailureLine error={error}>{texts.nothingChanged}</FailureLine>
      <Announcements workspace={workspace} />
      <DeleteTournament workspace={workspace} />
    </ConfirmDialog>
  )
}

function formOf(tournament: Tournament): Form {
  const { ruleset, visibility, announceRounds } = tournament
  const names = Object.keys(fields) as (keyof typeof fields)[]
  const typed = names.map((field) => [field, String(tournament[field] ?? '')])
  const written = Object.fromEntries(typed) as Pick<Form, keyof typeof fields>
  return { ...written, ruleset, visibility, announceRounds }
}

const changesOf = (before: Form, after: Form): Partial<Form> =>
  Object.fromEntries(
    Object.entries(after).filter(([field, value]) => value !== before[field as keyof Form]),
  )

/** What has changed, as a merge patch; an emptied field is removed. */
function patchOf(before: Form, after: Form): TournamentPatch {
  const changed = (Object.keys(before) as (keyof Form)[]).filter(
    (field) => trimmed(before[field]) !== trimmed(after[field]),
  )
  const valueOf = (field: keyof Form) => {
    const value = trimmed(after[field])
    if (value === '') return null
    return field in numbers ? Number(value) : value
  }
  return Object.fromEntries(changed.map((field) => [field, valueOf(field)]))
}

/** What others have made of the fields that are changed here since the form was opened, in words; empty where nothing. */
function changedByOthers(before: Form, mine: Form, now: Form): string {
  const valueOf = (field: keyof typeof labels): string =>
    field === 'ruleset' ? formatRuleset(now.ruleset) : shownText(now[field])
  const changed = (Object.keys(labels) as (keyof typeof labels)[]).filter(
    (field) =>
      trimmed(now[field]) !== before[field] &&
      ![before, now].some((each) => trimmed(each[field]) === trimmed(mine[field])),
  )
  return changed.map((field) => `${labels[field].label}: ${valueOf(field)}`).join(' · ')
}

const trimmed = <T,>(value: T) => (typeof value === 'string' ? value.trim() : value)

function problemOf(form: Form): string | null {
  if (form.name.trim() === '') return texts.enterName
  if (form.link.trim() !== '' && !bounds.isHttpsLink(form.link.trim())) {
    return texts.enterLink
  }
  for (const [field, { label, least, most }] of Object.entries(numbers)) {
    const value = form[field as keyof typeof numbers].trim()
    const isNumber = /^\d{1,8}$/.test(value) && Number(value) >= least && Number(value) <= most
    if (value !== '' && !isNumber) {
      return texts.enterNumber({ field: label, least: String(least), most: String(most) })
    }
  }
  const [min, max] = [form.rankMin, form.rankMax].map((rank) => Number(rank.trim()))
  return min! > 0 && max! > 0 && min! > max! ? texts.ranksReversed : null
}

/** Asks for the name: the packs of all rounds go with it. */
function DeleteTournament({ workspace }: WorkspaceProps) {
  const { slug, name, discord, discordOff } = workspace.tournament
  const [typed, setTyped] = useState('')
  const { isBusy, error, run } = useAction(orLeave(workspace.tournament))
  return (
    <details class="settings-delete">
      <summary>{texts.deleteTournament}</summary>
      <p>{texts.deletionMeans({ name: <PersonText within="b" text={name} /> })}</p>
      {discord === true && discordOff === undefined && <p>{texts.deletionIsTold}</p>}
      <label>
        {texts.nameOfTournament}
        <TextInput value={typed} onText={setTyped} />
      </label>
      <Button
        tone="danger"
        label={texts.deleteTournament}
        busy={isBusy}
        disabled={shownText(typed).trim() !== shownText(name).trim()}
        onClick={() =>
          run(async () => {
            await poolsCall('deleteTournament', { slug })
            takeTyped()
            return leaveFor('/my', texts.deleted({ name: shownText(name) }))
          })
        }
      />
      <FailureLine error={error}>{texts.nothingDeleted}</FailureLine>
    </details>
  )
}
