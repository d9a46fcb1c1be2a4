import { useCallback, useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { listen } from '../browser.ts'
import { KeysHelp, pressUndo, takePasted, UndoButtons } from '../editing/keys.tsx'
import { useLoad } from '../load.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton, SignInButton } from '../parts/buttons.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { loadedPart } from '../parts/loaded-part.tsx'
import { FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { useBeatmaps } from '../pool/beatmaps.ts'
import { poolsCall } from '../pools-api.ts'
import { ChecksCard } from './checks.tsx'
import { Workspace, type WorkspaceProps } from './model.ts'
import type { RoundModel } from './round-model.ts'
import type { RoundSaveState } from './round-store.ts'
import { ReleaseCard } from './round-side.tsx'
import { RoundView } from './round-view.tsx'
import { RoundsNav } from './rounds-nav.tsx'
import '../style/editor.css'
import '../style/side-card.css'
import '../style/workspace.css'

/** `/t/{slug}/edit`: where the staff of a tournament draft its rounds. */
export function WorkspacePage() {
  if (pageData().viewer === null) {
    return (
      <main id="main">
        <h1>Workspace</h1>
        <Notice title="Sign in to open the workspace" actions={<SignInButton />}>
          Only the staff of the tournament can see its drafts.
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
  const { value, error, reload } = useLoad(load)
  if (value !== null) return <WorkspaceView workspace={value} />
  return (
    <main id="main" class="workspace">
      <h1>Workspace</h1>
      {error === null ? (
        <SkeletonRows rows={8} what="the tournament" />
      ) : (
        <FailureNotice title="Could not open the tournament" error={error} onRetry={reload} />
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
    document.title = `${shownText(tournament.name)} – Workspace – ${pageData().siteName}`
  }, [tournament.name])
  const { drafts, hosts } = workspace.rights.value
  return (
    <main id="main" class="workspace editor">
      <header class="workspace-head">
        <div>
          <PersonText within="h1" text={tournament.name} />
          <p class="workspace-facts">
            <span class={`visibility ${tournament.visibility}`}>{tournament.visibility}</span>
            <span>You are a {tournament.role}</span>
            <Here workspace={workspace} />
          </p>
        </div>
        <div class="actions">
          <LinkButton label="View page" href={`/t/${workspace.slug}`} />
          <LinkButton icon="user" label="Staff" href={`/t/${workspace.slug}/staff`} />
          {hosts && <Button icon="edit" label="Settings" onClick={() => setDialog('settings')} />}
        </div>
      </header>
      {tournament.discordOff && (
        <p class="edit-danger" role="status">
          Releases are no longer announced on Discord: see Settings.
        </p>
      )}
      {drafts && <Bar workspace={workspace} onSheet={() => openSheet()} />}
      {drafts && <Unavailable workspace={workspace} />}
      {workspace.isGone.value && (
        <Notice
          tone="danger"
          title="You no longer have access to this tournament"
          actions={<LinkButton label="My tournaments" href="/my" />}
        >
          It was deleted, or you were removed from its staff.
        </Notice>
      )}
      {tournament.hiddenAt !== undefined && (
        <Notice title="Hidden by a moderator">
          Only the staff and moderators can see this tournament. Nothing is released, and scheduled
          releases wait, until a moderator shows it again. You can continue drafting.
        </Notice>
      )}
      <div class="workspace-columns">
        <RoundsNav workspace={workspace} />
        <div class="workspace-main">
          <Chosen workspace={workspace} onSheet={() => openSheet()} />
        </div>
        {round !== null && (
          <aside class="workspace-side" aria-label="Release and checks">
            <ReleaseCard key={round.id} workspace={workspace} round={round} />
            <ChecksCard workspace={workspace} />
            {drafts && <KeysHelp more={keys} />}
          </aside>
        )}
      </div>
      {dialog === 'sheet' && <SheetDialog workspace={workspace} text={pasted} onClose={close} />}
      {dialog === 'settings' && <SettingsDialog workspace={workspace} onClose={close} />}
    </main>
  )
}

const keys = [
  ['Alt ↑ / Alt ↓', 'On a round: move it'],
  ['Ctrl V', 'Paste a whole sheet anywhere outside a field'],
  ['Ctrl Z / Ctrl Shift Z', 'Undo and redo your own changes'],
] as const

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
        title={workspace.isLimited.value ? 'No rounds' : 'No rounds yet'}
        actions={
          workspace.rights.value.arranges && (
            <Button tone="primary" label="Paste a whole sheet" onClick={onSheet} />
          )
        }
      >
        {workspace.rights.value.arranges
          ? 'Paste your sheet, or add the first round by name.'
          : workspace.isLimited.value
            ? 'The rounds you work on were deleted. A restored round appears here again.'
            : 'Hosts and poolers have not drafted anything yet.'}
      </Notice>
    )
  }
  if (error === null) return <SkeletonRows rows={8} what="the round" />
  return (
    <FailureNotice
      title="Could not open the round"
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
    <div class="edit-bar" role="group" aria-label="Edit">
      <UndoButtons store={workspace.steps} />
      {workspace.rights.value.arranges && (
        <Button icon="copy" label="Paste a sheet" onClick={onSheet} />
      )}
      <SaveWords workspace={workspace} />
    </div>
  )
}

/** Calm: what is saved says so, and what waits goes on by itself. */
function SaveWords({ workspace }: WorkspaceProps) {
  const store = workspace.round?.store
  const state: RoundSaveState = store?.state ?? { phase: 'saved' }
  const isWaiting = Boolean(state.failure)
  const isCalm = state.phase !== 'signed-out' && !isWaiting
  return (
    <>
      <p class={isCalm ? 'edit-bar-words' : 'edit-bar-words pressing'} role="status">
        {saveWords(state)}
      </p>
      {isWaiting && <Button label="Try now" onClick={() => workspace.resume()} />}
      {state.phase === 'signed-out' && <SignInButton />}
    </>
  )
}

/** Of an attempt that is repeated, what the one before was told: nothing flickers. */
function saveWords({ phase, failure }: RoundSaveState): string {
  switch (failure?.code) {
    case undefined:
      return phaseWords[phase]
    case 'rate_limited':
      return 'Many changes: the rest is saved in a moment'
    case 'unavailable':
      return 'Not saved yet: your changes are kept'
    default:
      return 'No connection: your changes are kept and saved once you are back online'
  }
}

const phaseWords = {
  saved: 'Saved',
  saving: 'Saving …',
  waiting: 'Saving …',
  'signed-out': 'Your session has ended. Your changes are kept on this page.',
}

/** What the site says of why it saves nothing for now, such as the reason of the operator. */
function Unavailable({ workspace }: WorkspaceProps) {
  const failure = workspace.round?.store.state.failure ?? null
  return (
    <div role="status">
      {failure?.code === 'unavailable' && (
        <Notice title="Your changes are not saved yet">
          <span dir="auto">{failure.message}</span> They are kept on this page and will be saved as
          soon as possible.
        </Notice>
      )}
    </div>
  )
}

/** Who else has the workspace open. */
function Here({ workspace }: WorkspaceProps) {
  const others = workspace.others.value
  if (others.length === 0) return null
  const { rounds } = workspace.tournament
  return (
    <span class="here">
      <span class="here-dot" aria-hidden="true" />
      <span class="sr-only">Here now: </span>
      {others.map(({ gameId, username, round }, at) => {
        const name = rounds.find(({ id }) => id === round)?.name
        return (
          <span key={gameId} title={name === undefined ? undefined : `in ${shownText(name)}`}>
            <PersonText text={username} />
            {name !== undefined && (
              <span class="quiet-text">{[' in ', <PersonText text={name} />]}</span>
            )}
            {at < others.length - 1 && ','}
          </span>
        )
      })}
    </span>
  )
}

function pressKey(event: KeyboardEvent, { steps, rights }: Workspace): void {
  if (!rights.value.drafts) return
  // Everything is saved already.
  if (event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey)) event.preventDefault()
  pressUndo(event, steps)
}
