import * as texts from '#texts/workspace'
import { DELETED_ROUND_DAYS, NAME_LENGTH } from '../../contract/bounds.ts'
import { useAskedAction } from '../action.ts'
import { CommitField } from '../editing/fields.tsx'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { OutsideLink } from '../parts/links.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { announce } from '../parts/toasts.tsx'
import { explain } from '../site-failure.ts'
import { Sentences } from '../parts/sentences.tsx'
import { orLeave } from '../tournament-staff/roles.ts'
import type { Workspace, WorkspaceProps } from './model.ts'
import { stateOfRound } from './rounds.ts'
import { RoundFields, roundLinks, type RoundProps } from './round-fields.tsx'
import { discussionId, WHOLE_ROUND } from './round-model.ts'
import { readRoundName } from './rounds-nav.tsx'

/** The name of a round, what is set of it, and the remarks on it as a whole. */
export function RoundHead({ round, workspace }: RoundProps & WorkspaceProps) {
  const { name } = round.store.edit
  const { drafts, hosts } = round.rights.value
  const removing = useAskedAction<string>(orLeave(workspace.tournament))
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
      {open === 0 ? texts.remarks : texts.openRemarks({ n: open })}
    </Button>
  )
  const versions = (
    <LinkButton tone="quiet" label={texts.history} href={`?round=${round.id}&history`} />
  )
  if (!drafts) {
    return (
      <header class="round-head">
        <h2>
          <PersonText text={name} />
        </h2>
        {discussion}
        {versions}
        <RoundLinks round={round} />
      </header>
    )
  }
  return (
    <header class="round-head">
      <h2 class="sr-only">{shownText(name)}</h2>
      <CommitField
        isShared
        class="round-name-field"
        aria-label={texts.nameOfRound}
        maxLength={NAME_LENGTH}
        text={name}
        read={(text) => readRoundName(text, workspace.tournament.rounds, round.id)}
        onCommit={(name, seen) => round.setField('name', seen, name)}
      />
      {discussion}
      {versions}
      {(hosts || state === 'draft') && (
        <Button
          tone="quiet"
          icon="trash"
          aria-label={texts.deleteTheRound}
          title={texts.deleteTheRound}
          onClick={() => removing.ask(name)}
        />
      )}
      {!hosts && <RoundLinks round={round} />}
      <RoundFields round={round} workspace={workspace} />
      <ConfirmDialog
        title={texts.deleteRoundAsk}
        isOpen={removing.asked !== null}
        action={texts.deleteRound}
        busy={removing.isBusy}
        onCancel={removing.close}
        onConfirm={() =>
          removing.run(async () => {
            await workspace.deleteRound(round.id)
            removing.close()
            announce(texts.roundDeleted({ round: name }), 'plain', {
              run: () => restore(workspace, round.id),
              isDone: () => !workspace.tournament.rounds.some(({ id }) => id === round.id),
            })
          })
        }
      >
        <p>
          <Sentences
            of={[
              texts.deletionMeans({
                round: <PersonText within="b" text={name} />,
                days: DELETED_ROUND_DAYS,
              }),
              state === 'released' && texts.packDeletionMeans,
            ]}
          />
        </p>
        <FailureLine error={removing.error}>{texts.roundNotDeleted}</FailureLine>
      </ConfirmDialog>
    </header>
  )
}

function restore(workspace: Workspace, id: string): void {
  workspace.restoreRound(id).catch((error: unknown) => announce(explain(error), 'danger'))
}

const linkTexts = { mapPackUrl: texts.mapPackAt, showcaseUrl: texts.showcaseAt } as const

/** Map pack and showcase, for who cannot set them. */
function RoundLinks({ round }: RoundProps) {
  const set = roundLinks.flatMap(([field]) => {
    const { [field]: href } = round.store.edit
    return href === undefined ? [] : [{ field, href }]
  })
  if (set.length === 0) return null
  return (
    <p class="round-links">
      {set.map(({ field, href }) => (
        <span key={field}>{linkTexts[field]({ link: <OutsideLink href={href} /> })}</span>
      ))}
    </p>
  )
}
