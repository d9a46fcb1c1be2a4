import { language } from '#texts/language'
import * as texts from '#texts/staff'
import { useId } from 'preact/hooks'
import type { Round } from '../../contract/rounds.ts'
import type { RoleInput } from '../../contract/staff.ts'
import type { StaffRole, Tournament } from '../../contract/tournaments.ts'
import { PersonText } from '../parts/labels.tsx'

/** The ids of the rounds that somebody works on; null: of all, later ones too (D-81). */
export type Limit = readonly string[] | null

/** The body that sets a role: a host cannot be limited. */
export const roleInput = (role: StaffRole, limit: Limit): RoleInput => ({
  role,
  ...(limit !== null && role !== 'host' && { rounds: [...limit] }),
})

type LimitFieldProps = {
  readonly tournament: Tournament
  readonly limit: Limit
  readonly onLimit: (limit: Limit) => void
}

/** All rounds, or some of them. */
export function LimitField({ tournament, limit, onLimit }: LimitFieldProps) {
  const name = useId()
  const choice = (text: string, value: Limit, isChosen: boolean) => (
    <label>
      <input type="radio" name={name} checked={isChosen} onChange={() => onLimit(value)} />
      {text}
    </label>
  )
  return (
    <fieldset class="limit-field">
      <legend>{texts.rounds}</legend>
      {choice(texts.allRounds, null, limit === null)}
      {choice(texts.theseRounds, limit ?? [], limit !== null)}
      {limit !== null && (
        <ul role="list">
          {tournament.rounds.map((round) => (
            <li key={round.id}>
              <label>
                <input
                  type="checkbox"
                  checked={limit.includes(round.id)}
                  onChange={({ currentTarget: { checked } }) => {
                    const others = limit.filter((id) => id !== round.id)
                    onLimit(checked ? [...others, round.id] : others)
                  }}
                />
                <PersonText text={round.name} />
              </label>
            </li>
          ))}
        </ul>
      )}
      {limit?.length === 0 && <p class="side-note">{texts.chooseRounds}</p>}
    </fieldset>
  )
}

type LimitWordsProps = { readonly rounds: readonly string[]; readonly tournament: Tournament }

/** Which rounds those are, as far as the reader knows of them. */
export function LimitWords({ rounds, tournament }: LimitWordsProps) {
  return <RoundNames rounds={tournament.rounds.filter(({ id }) => rounds.includes(id))} />
}

const list = new Intl.ListFormat(language, { type: 'conjunction', style: 'narrow' })

export function RoundNames({ rounds }: { readonly rounds: readonly Pick<Round, 'id' | 'name'>[] }) {
  if (rounds.length === 0) return texts.noRounds
  return list
    .formatToParts(rounds.map(({ name }) => name))
    .map(({ type, value }) => (type === 'element' ? <PersonText text={value} /> : value))
}
