import { useEffect, useState } from 'preact/hooks'
import type { Check } from '../../contract/checks.ts'
import { type CheckGroup, groupChecks } from '../../pool/check-words.ts'
import { slotLabel } from '../../pool/slots.ts'
import { useAction } from '../action.ts'
import { count } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { Icon } from '../parts/icons.tsx'
import { shownText } from '../parts/labels.tsx'
import { FailureLine } from '../parts/notices.tsx'
import type { WorkspaceProps } from './model.ts'
import { focusSlot } from './round-view.tsx'

/** A pause in which the changes of several people become one question. */
const PAUSE_MS = 800

/** With more findings in the round than these, its kinds are folded at first. */
const FEW = 5

/** What the checks find by kind, of the round that is shown first; each finding leads to its slot. */
export function ChecksCard({ workspace }: WorkspaceProps) {
  const { isBusy, error, run } = useAction()
  const { tournament, round } = workspace
  const checks = workspace.checks.value
  const drafts = tournament.rounds.map(({ updatedAt }) => updatedAt).join()
  useEffect(() => {
    const timer = setTimeout(
      () => run(() => workspace.readChecks()),
      checks === null ? 0 : PAUSE_MS,
    )
    return () => clearTimeout(timer)
  }, [tournament.updatedAt, drafts, round?.store.saved.updatedAt])
  const all = checks ?? []
  const here = all.filter((check) => check.round.id === round?.id)
  const faults = here.filter(({ kind }) => kind !== 'pooled').length
  const elsewhere = all.filter((check) => check.round.id !== round?.id && check.kind !== 'pooled')
  const unknown = all.filter(({ kind }) => kind === 'unknown').length
  return (
    <section class="side-card checks" aria-labelledby="checks-title">
      <h2 id="checks-title">Checks {checks !== null && faults > 0 && <Count of={faults} />}</h2>
      <div aria-live="polite">
        {checks === null && error === null && <p class="side-note">Checking …</p>}
        {checks !== null && faults === 0 && (
          <p class="side-note checks-well">
            <Icon name="check" /> Nothing found in this round.
          </p>
        )}
      </div>
      {checks !== null && (
        <Kinds key={round?.id} checks={here} isOpen={faults <= FEW} onPick={goTo} />
      )}
      {elsewhere.length > 0 && (
        <details class="checks-kind">
          <summary>{count(elsewhere.length, 'finding')} in other rounds</summary>
          <Kinds checks={elsewhere} hasRound onPick={goTo} />
        </details>
      )}
      {unknown > 0 && (
        <p class="side-note">
          {count(unknown, 'slot')} could not be checked on the game platform.{' '}
          <Button
            label="Check again"
            busy={isBusy}
            onClick={() => run(() => workspace.readChecks())}
          />
        </p>
      )}
      <FailureLine error={error} />
    </section>
  )

  function goTo({ round: { id }, mod, index }: Check): void {
    const label = slotLabel({ mod, index })
    if (workspace.round?.id === id) focusSlot(workspace.round, label)
    else {
      workspace.choose(id)
      // The round takes the focus to it when it is shown.
      location.hash = encodeURIComponent(label)
    }
  }
}

const Count = ({ of }: { readonly of: number }) => <span class="checks-count">{of}</span>

type KindsProps = {
  readonly checks: readonly Check[]
  /** Whether the faults among them are unfolded at first. */
  readonly isOpen?: boolean
  readonly hasRound?: boolean
  readonly onPick: (check: Check) => void
}

const Kinds = ({ checks, isOpen = false, ...props }: KindsProps) =>
  groupChecks(checks).map((group) => (
    <Kind key={group.kind} group={group} isOpen={isOpen && group.kind !== 'pooled'} {...props} />
  ))

type KindProps = Pick<KindsProps, 'hasRound' | 'onPick'> & {
  readonly group: CheckGroup
  readonly isOpen: boolean
}

function Kind({ group: { heading, checks }, isOpen, hasRound = false, onPick }: KindProps) {
  const [isUnfolded, setUnfolded] = useState(isOpen)
  return (
    <details
      class="checks-kind"
      open={isUnfolded}
      onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}
    >
      <summary>
        {heading} <Count of={checks.length} />
      </summary>
      <ul class="findings" role="list">
        {checks.map((check, at) => (
          <li key={at}>
            <button type="button" class="edit-link" onClick={() => onPick(check)}>
              {hasRound && `${shownText(check.round.name)}: `}
              {shownText(check.message)}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
