import * as findings from '#texts/findings'
import { language } from '#texts/language'
import * as texts from '#texts/workspace'
import { useEffect, useState } from 'preact/hooks'
import type { Check, CheckKind } from '../../contract/checks.ts'
import { type CheckGroup, groupChecks } from '../../pool/check-words.ts'
import { slotLabel } from '../../pool/slots.ts'
import { useAction } from '../action.ts'
import { formatBpm, formatLength, formatStars } from '../format.ts'
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
  // Also while they are read already: what that has found is of before.
  const read = (): void => {
    const reading = workspace.readChecks()
    run(() => reading)
  }
  const drafts = tournament.rounds.map(({ updatedAt }) => updatedAt).join()
  useEffect(() => {
    const timer = setTimeout(read, checks === null ? 0 : PAUSE_MS)
    return () => clearTimeout(timer)
  }, [tournament.updatedAt, drafts, round?.store.saved.updatedAt])
  const all = checks ?? []
  const here = all.filter((check) => check.round.id === round?.id)
  const faults = here.filter(({ kind }) => kind !== 'pooled').length
  const elsewhere = all.filter((check) => check.round.id !== round?.id && check.kind !== 'pooled')
  const unknown = all.filter(({ kind }) => kind === 'unknown').length
  return (
    <section class="side-card checks" aria-labelledby="checks-title">
      <h2 id="checks-title">
        {texts.checks} {checks !== null && faults > 0 && <Count of={faults} />}
      </h2>
      <div aria-live="polite">
        {checks === null && error === null && <p class="side-note">{texts.checking}</p>}
        {checks !== null && faults === 0 && (
          <p class="side-note checks-well">
            <Icon name="check" /> {texts.nothingFound}
          </p>
        )}
      </div>
      {checks !== null && (
        <Kinds key={round?.id} checks={here} isOpen={faults <= FEW} onPick={goTo} />
      )}
      {elsewhere.length > 0 && (
        <details class="checks-kind">
          <summary>{texts.findingsElsewhere({ n: elsewhere.length })}</summary>
          <Kinds checks={elsewhere} hasRound onPick={goTo} />
        </details>
      )}
      {unknown > 0 && (
        <p class="side-note">
          {texts.uncheckedSlots({ n: unknown })}{' '}
          <Button label={texts.checkAgain} busy={isBusy} onClick={read} />
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

/** What findings of a kind are called, above a list of them. */
export const checkTexts: Readonly<Record<CheckKind, string>> = {
  empty: texts.foundEmpty,
  placeholder: texts.foundPlaceholder,
  gone: texts.foundGone,
  duplicate: texts.foundDuplicate,
  stars: texts.foundStars,
  length: texts.foundLength,
  bpm: texts.foundBpm,
  keys: texts.foundKeys,
  ruleset: texts.foundRuleset,
  status: texts.foundStatus,
  many: texts.foundMany,
  unknown: texts.foundUnknown,
  pooled: texts.foundPooled,
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

function Kind({ group: { kind, checks }, isOpen, hasRound = false, onPick }: KindProps) {
  const [isUnfolded, setUnfolded] = useState(isOpen)
  return (
    <details
      class="checks-kind"
      open={isUnfolded}
      onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}
    >
      <summary>
        {checkTexts[kind]} <Count of={checks.length} />
      </summary>
      <ul class="findings" role="list">
        {checks.map((check, at) => (
          <li key={at}>
            <button type="button" class="edit-link" onClick={() => onPick(check)}>
              {hasRound
                ? texts.findingIn({
                    round: shownText(check.round.name),
                    finding: findingText(check),
                  })
                : findingText(check)}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** A finding as a sentence: in English that of the site, which says most of it. */
export const findingText = (check: Check): string =>
  language === 'en' ? shownText(check.message) : textOf(check)

function textOf({ kind, mod, index, round, other, value = 0, min, max }: Check): string {
  const slot = slotLabel({ mod, index })
  switch (kind) {
    case 'duplicate': {
      if (other === undefined) return findings.duplicate({ slot, other: '' })
      const label = slotLabel(other)
      return other.round.id === round.id
        ? findings.duplicate({ slot, other: label })
        : findings.duplicateIn({ slot, other: label, round: shownText(other.round.name) })
    }
    case 'stars':
    case 'length':
    case 'bpm':
    case 'keys': {
      const { above, below, format } = measures[kind]
      const sentence = max === undefined ? below : above
      return sentence({ slot, value: format(value), bound: format(max ?? min ?? 0) })
    }
    case 'many':
      return findings.many({ slot, n: value })
    case 'pooled':
      return findings.pooled({ slot, n: value })
    default:
      return plain[kind]({ slot })
  }
}

const measures = {
  stars: { above: findings.starsAbove, below: findings.starsBelow, format: formatStars },
  length: { above: findings.lengthAbove, below: findings.lengthBelow, format: formatLength },
  bpm: { above: findings.bpmAbove, below: findings.bpmBelow, format: formatBpm },
  keys: { above: findings.keysAbove, below: findings.keysBelow, format: String },
} as const

const plain = {
  empty: findings.empty,
  placeholder: findings.placeholder,
  gone: findings.gone,
  ruleset: findings.ruleset,
  status: findings.status,
  unknown: findings.unknown,
} as const
