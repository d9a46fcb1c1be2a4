import { useState } from 'preact/hooks'
import * as bounds from '../../contract/bounds.ts'
import type { Tournament, TournamentPatch } from '../../contract/tournaments.ts'
import { useAction } from '../action.ts'
import { Button } from '../parts/buttons.tsx'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { rulesetOptions, Select, TextInput } from '../parts/inputs.tsx'
import { PersonText } from '../parts/labels.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { announce } from '../parts/toasts.tsx'
import { poolsCall } from '../pools-api.ts'
import { Announcements } from './announcements.tsx'
import type { WorkspaceProps } from './model.ts'

type SettingsProps = WorkspaceProps & { readonly onClose: () => void }

const texts = {
  name: { label: 'Name', most: bounds.NAME_LENGTH },
  shortName: { label: 'Short name', most: bounds.SHORT_NAME_LENGTH },
  description: { label: 'Description', most: bounds.DESCRIPTION_LENGTH },
  link: { label: 'Link', most: bounds.LINK_LENGTH },
} as const
const numbers = {
  year: { label: 'Year', least: bounds.FIRST_YEAR, most: bounds.LAST_YEAR },
  rankMin: { label: 'Rank from', least: 1, most: bounds.MAX_RANK },
  rankMax: { label: 'Rank to', least: 1, most: bounds.MAX_RANK },
} as const

const fields = { ...texts, ...numbers }

/** As it is typed. */
type Form = Readonly<Record<keyof typeof fields, string>> & {
  readonly ruleset: Tournament['ruleset']
  readonly visibility: Tournament['visibility']
  readonly announceRounds: boolean
}

/** What hosts set of a tournament. Only what they change is sent. */
export function SettingsDialog({ workspace, onClose }: SettingsProps) {
  const { tournament } = workspace
  const [before] = useState(() => formOf(tournament))
  const [form, setForm] = useState(before)
  const { isBusy, error, run } = useAction()
  const set = (changes: Partial<Form>): void => setForm({ ...form, ...changes })
  const patch = patchOf(before, form)
  const problem = problemOf(form)
  const hasChanges = Object.keys(patch).length > 0
  const save = (event?: Event): void => {
    event?.preventDefault()
    if (!hasChanges || problem !== null) return
    run(async () => {
      const { slug } = workspace
      workspace.putTournament(
        (await poolsCall('updateTournament', { slug, body: patch })).tournament,
      )
      announce('Saved')
      onClose()
    })
  }
  const text = (field: keyof typeof texts, placeholder = '') => (
    <label class={`settings-${field}`}>
      {texts[field].label}
      <TextInput
        maxLength={texts[field].most}
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
        onText={(value) => set({ [field]: value })}
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
      title="Tournament settings"
      isOpen
      kind="sheet"
      action="Save"
      tone="primary"
      busy={isBusy}
      disabled={!hasChanges || problem !== null}
      onConfirm={save}
      onCancel={onClose}
    >
      <form class="settings" onSubmit={save}>
        {text('name')}
        {text('shortName', 'Used in pack names')}
        <label class="settings-description">
          {texts.description.label}
          <textarea
            class="field"
            dir="auto"
            rows={2}
            maxLength={texts.description.most}
            value={form.description}
            onInput={({ currentTarget }) => set({ description: currentTarget.value })}
          />
        </label>
        {text('link', 'https://')}
        <label>
          Ruleset
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
          'Public',
          'Anyone can see the tournament and its released rounds.',
        )}
        {check(
          form.announceRounds,
          (announceRounds) => set({ announceRounds }),
          'Announce rounds',
          'Anyone can see the names and release times of upcoming rounds.',
        )}
        <button type="submit" hidden />
      </form>
      <p class="edit-danger" role="alert">
        {hasChanges && problem}
      </p>
      <FailureLine error={error}>Nothing was changed.</FailureLine>
      <Announcements workspace={workspace} />
      <DeleteTournament tournament={tournament} />
    </ConfirmDialog>
  )
}

function formOf(tournament: Tournament): Form {
  const { ruleset, visibility, announceRounds } = tournament
  const names = Object.keys(fields) as (keyof typeof fields)[]
  const typed = names.map((field) => [field, String(tournament[field] ?? '')])
  return { ...(Object.fromEntries(typed) as Form), ruleset, visibility, announceRounds }
}

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

const trimmed = <T,>(value: T) => (typeof value === 'string' ? value.trim() : value)

function problemOf(form: Form): string | null {
  if (form.name.trim() === '') return 'Enter a name.'
  if (form.link.trim() !== '' && !bounds.isHttpsLink(form.link.trim())) {
    return 'The link must begin with https:// and have no user name or password.'
  }
  for (const [field, { label, least, most }] of Object.entries(numbers)) {
    const value = form[field as keyof typeof numbers].trim()
    const isNumber = /^\d{1,8}$/.test(value) && Number(value) >= least && Number(value) <= most
    if (value !== '' && !isNumber) return `${label}: enter a number from ${least} to ${most}.`
  }
  const [min, max] = [form.rankMin, form.rankMax].map((rank) => Number(rank.trim()))
  return min! > 0 && max! > 0 && min! > max!
    ? '“Rank from” must not be higher than “Rank to”.'
    : null
}

/** Asks for the name: the packs of all rounds go with it. */
function DeleteTournament({ tournament }: { readonly tournament: Tournament }) {
  const { slug, name } = tournament
  const [typed, setTyped] = useState('')
  const { isBusy, error, run } = useAction()
  return (
    <details class="settings-delete">
      <summary>Delete the tournament</summary>
      <p>
        Permanently deletes all drafts with their candidates and remarks, and the packs of released
        rounds. Enter <PersonText within="b" text={name} /> to confirm.
      </p>
      <label>
        Name of the tournament
        <TextInput value={typed} onText={setTyped} />
      </label>
      <Button
        tone="danger"
        label="Delete the tournament"
        busy={isBusy}
        disabled={typed.trim() !== name.trim()}
        onClick={() =>
          run(async () => {
            await poolsCall('deleteTournament', { slug })
            location.assign('/my')
          })
        }
      />
      <FailureLine error={error}>Nothing was deleted.</FailureLine>
    </details>
  )
}
