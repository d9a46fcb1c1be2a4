import * as words from '#texts/common'
import * as texts from '#texts/workspace'
import { useCallback, useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { listen } from '../browser.ts'
import { KeysHelp, pressUndo, takePasted, UndoButtons } from '../editing/keys.tsx'
import { useLoad } from '../load.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton, SignInButton } from '../parts/buttons.tsx'
import { PersonText, VisibilityChip } from '../parts/labels.tsx'
import { loadedPart } from '../parts/loaded-part.tsx'
import { FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { Sentences } from '../parts/sentences.tsx'
import { useBeatmaps } from '../pool/beatmaps.ts'
import { poolsCall } from '../pools-api.ts'
import { isSignedOut } from '../site-failure.ts'
import { ChecksCard } from './checks.tsx'
import { Workspace, type WorkspaceProps } from './model.ts'
import type { RoundModel } from './round-model.ts'
import type { RoundSaveState } from './round-store.ts'
import { ReleaseCard } from './round-side.tsx'
import { focusUnsaved, RoundView } from './round-view.tsx'
import { Here, RoundsNav } from './rounds-nav.tsx'
import '../style/editor.css'
import '../style/side-card.css'
import '../style/workspace.css'

/** `/t/{slug}/edit`: where the staff of a tournament draft its rounds. */
export function WorkspacePage() {
  if (pageData().viewer === null) {
    return (
      <main id="main">
        <h1>{texts.workspace}</h1>
        <Notice title={texts.signInToOpen} actions={<SignInButton />}>
          {texts.onlyStaffSeeDrafts}
        </Notice>
      </main>
    )
  }
  return <Opening slug={location.pathname.split('/')[2] ?? ''} />
}

function Opening({ slug }: { readonly slug: string }) {
  const load = useCallback(
    async (signal: AbortSignal) => new Workspace(await poolsCall('getWorkspace', { slug, signal })),
    [slug],
  )
  const { value, error, reload } = useLoad(load, true)
  if (value !== null) return <WorkspaceView workspace={value} />
  return (
    <main id="main" class="workspace">
      <h1>{texts.workspace}</h1>
      {error === null ? (
        <SkeletonRows rows={8} label={texts.loadingTournament} />
      ) : (
        <FailureNotice title={texts.tournamentFailed} error={error} onRetry={reload} />
      )}
    </main>
  )
}

const SheetDialog = loadedPart(async () => (await import('./sheet.tsx')).SheetDialog)
const SettingsDialog = loadedPart(async () => (await import('./settings.tsx')).SettingsDialog)
const DraftHistory = loadedPart(async () => (await import('./draft-history.tsx')).DraftHistory)

function WorkspaceView({ workspace }: WorkspaceProps) {
  const { tournament, round } = workspace
  const chosen = workspace.chosen.value
  const [dialog, setDialog] = useState<'sheet' | 'settings' | null>(null)
  const [pasted, setPasted] = useState('')
  const openSheet = (text = ''): void => {
    setPasted(text)
    setDialog('sheet')
  }
  const close = (): void => setDialog(null)
  useEffect(() => workspace.start(), [workspace])
  useEffect(() => workspace.follow(chosen), [workspace, chosen])
  useEffect(
    () =>
      listen({
        keydown: (event) => pressKey(event, workspace),
        paste: (event) => workspace.rights.value.arranges && takePasted(event, openSheet),
      }),
    [workspace],
  )
  useEffect(() => {
    document.title = texts.pageTitle({
      tournament: tournament.name,
      site: pageData().siteName,
    })
  }, [tournament.name])
  const { drafts, hosts } = workspace.rights.value
  return (
    <main id="main" class="workspace editor">
      <header class="workspace-head">
        <div>
          <PersonText within="h1" text={tournament.name} />
          <p class="workspace-facts">
            <VisibilityChip
              visibility={tournament.visibility}
              isHidden={tournament.hiddenAt !== undefined}
            />
            {tournament.role && <span>{roleTexts[tournament.role]}</span>}
            <Here workspace={workspace} />
          </p>
        </div>
        <div class="actions">
          <LinkButton label={texts.viewPage} href={`/t/${workspace.slug}`} />
          <LinkButton icon="user" label={texts.staff} href={`/t/${workspace.slug}/staff`} />
          {hosts && (
            <Button icon="edit" label={texts.settings} onClick={() => setDialog('settings')} />
          )}
        </div>
      </header>
      {tournament.discordOff && (
        <p class="edit-danger" role="status">
          {texts.discordOff}
        </p>
      )}
      {drafts && <Bar workspace={workspace} onSheet={() => openSheet()} />}
      {drafts ? <Unavailable workspace={workspace} /> : <Behind workspace={workspace} />}
      {workspace.isGone.value && (
        <Notice
          tone="danger"
          title={texts.accessLost}
          actions={<LinkButton label={words.myTournaments} href="/my" />}
        >
          {texts.accessLostMeans}
        </Notice>
      )}
      {tournament.hiddenAt !== undefined && (
        <Notice title={texts.hidden}>{texts.hiddenMeans}</Notice>
      )}
      <div class="workspace-columns">
        <RoundsNav workspace={workspace} />
        <div class="workspace-main">
          <Chosen workspace={workspace} onSheet={() => openSheet()} />
        </div>
        {round !== null && (
          <aside class="workspace-side" aria-label={texts.releaseAndChecks}>
            <ReleaseCard key={round.id} workspace={workspace} round={round} />
            <ChecksCard workspace={workspace} />
            {drafts && <KeysHelp of="round" />}
          </aside>
        )}
      </div>
      {dialog === 'sheet' && <SheetDialog workspace={workspace} text={pasted} onClose={close} />}
      {dialog === 'settings' && <SettingsDialog workspace={workspace} onClose={close} />}
    </main>
  )
}

const roleTexts = {
  host: texts.youAreHost,
  pooler: texts.youArePooler,
  tester: texts.youAreTester,
  referee: texts.youAreReferee,
} as const

function Chosen({ workspace, onSheet }: WorkspaceProps & { readonly onSheet: () => void }) {
  const { round, tournament } = workspace
  const error = workspace.failure.value
  if (round !== null && workspace.history.value !== null) {
    return <DraftHistory key={round.id} round={round} workspace={workspace} />
  }
  if (round !== null) return <Shown key={round.id} round={round} workspace={workspace} />
  if (tournament.rounds.length === 0) {
    return (
      <Notice
        title={workspace.isLimited.value ? texts.noRounds : texts.noRoundsYet}
        actions={
          workspace.rights.value.arranges && (
            <Button tone="primary" label={texts.pasteWholeSheet} onClick={onSheet} />
          )
        }
      >
        {workspace.rights.value.arranges
          ? texts.pasteFirst
          : workspace.isLimited.value
            ? texts.ownRoundsDeleted
            : texts.nothingDrafted}
      </Notice>
    )
  }
  if (error === null) return <SkeletonRows rows={8} label={texts.loadingRound} />
  return (
    <FailureNotice
      title={texts.roundFailed}
      error={error}
      onRetry={() => void workspace.openRound()}
    />
  )
}

/** Looks up the beatmaps of the round that is shown. */
function Shown({ round, workspace }: WorkspaceProps & { readonly round: RoundModel }) {
  const beatmaps = useBeatmaps(round.uses.value, undefined, workspace.slug)
  useLayoutEffect(() => {
    round.beatmaps.value = beatmaps
  }, [beatmaps])
  return <RoundView round={round} workspace={workspace} />
}

function Bar({ workspace, onSheet }: WorkspaceProps & { readonly onSheet: () => void }) {
  return (
    <div class="edit-bar" role="group" aria-label={texts.editBar}>
      <UndoButtons store={workspace.steps} />
      {workspace.rights.value.arranges && (
        <Button icon="copy" label={texts.pasteSheet} onClick={onSheet} />
      )}
      <SaveWords workspace={workspace} />
    </div>
  )
}

/** Calm: what is saved says so, and what waits goes on by itself. What does not is counted, in all rounds. */
function SaveWords({ workspace }: WorkspaceProps) {
  const { behind } = workspace
  const state = workspace.opened.saving.value
  const { phase } = state
  const isWaiting = Boolean(state.failure)
  const n = workspace.opened.unsent.value.length
  const isCalm = n === 0 && !isWaiting && (phase === 'saved' || phase === 'saving')
  if (isCalm && phase === 'saved' && behind.value !== null) return <Behind workspace={workspace} />
  return (
    <>
      <p class={isCalm ? 'edit-bar-words' : 'edit-bar-words pressing'} role="status">
        <Sentences
          of={[
            !(n > 0 && phase === 'saved') && saveText(state),
            n > 0 && workspace.opened.keeping.value.includes('lost') && texts.notKept,
          ]}
        />
        {n > 0 && ' '}
        {n > 0 && (
          <button type="button" class="edit-link" onClick={() => goToUnsaved(workspace)}>
            {texts.unsavedChanges({ n })}
          </button>
        )}
      </p>
      {isWaiting && <Button label={texts.tryNow} onClick={() => workspace.opened.resume()} />}
      {phase === 'signed-out' && <SignInButton />}
      {phase === 'other-session' && (
        <Button tone="primary" label={words.reload} onClick={() => location.reload()} />
      )}
    </>
  )
}

/** Says that what is shown may be old. */
function Behind({ workspace: { behind, isGone } }: WorkspaceProps) {
  const failure = isGone.value ? null : behind.value
  const isOver = isSignedOut(failure)
  return (
    <>
      <p class="edit-bar-words pressing" role="status">
        {failure !== null && (isOver ? words.sessionEnded : texts.othersNotSeen)}
      </p>
      {isOver && <SignInButton />}
    </>
  )
}

/** Shows the first change that is not saved, in whichever round it is; of rounds that are gone, the way to restore them. */
function goToUnsaved(workspace: Workspace): void {
  const there = new Set(workspace.tournament.rounds.map(({ id }) => id))
  const first = workspace.opened.unsent.value.find((id) => there.has(id))
  if (first === undefined) return void (workspace.areDeletedShown.value = true)
  if (workspace.round?.id !== first || workspace.history.value !== null) workspace.choose(first)
  const { round } = workspace
  if (round !== null) focusUnsaved(round)
}

/** Of an attempt that is repeated, what the one before was told: nothing flickers. */
function saveText({ phase, failure }: RoundSaveState): string {
  switch (failure?.code) {
    case undefined:
      return phaseTexts[phase]
    case 'rate_limited':
      return texts.manyChanges
    case 'unreachable':
      return texts.noConnection
    default:
      return texts.notSavedYet
  }
}

const phaseTexts = {
  saved: texts.saved,
  saving: texts.saving,
  waiting: texts.saving,
  'signed-out': texts.sessionEnded,
  'other-session': texts.otherSession,
}

/** What the site says of why it saves nothing for now, such as the reason of the operator. */
function Unavailable({ workspace }: WorkspaceProps) {
  const failure = workspace.round?.store.state.failure ?? null
  return (
    <div role="status">
      {failure?.code === 'unavailable' && (
        <Notice title={texts.changesNotSavedYet}>
          {texts.changesKept({ reason: <span dir="auto">{failure.message}</span> })}
        </Notice>
      )}
    </div>
  )
}

function pressKey(event: KeyboardEvent, { steps, rights }: Workspace): void {
  if (!rights.value.drafts) return
  // Everything is saved already.
  if (event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey)) event.preventDefault()
  pressUndo(event, steps)
}
