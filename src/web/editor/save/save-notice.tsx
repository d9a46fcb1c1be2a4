import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { MAX_PACKS } from '../../../contract/bounds.ts'
import { now } from '../../browser-clock.ts'
import { formatWait } from '../../format.ts'
import { Button, LinkButton } from '../../parts/button.tsx'
import { SignInButton } from '../../parts/sign-in-button.tsx'
import { EditNotice } from '../edit-notice.tsx'
import type { SaveState } from './save-state.ts'
import type { Saver } from './saver.ts'

const kept = 'Your changes are kept in this browser.'

type Props = {
  readonly saver: Saver
  /** Saves, if nothing is in the way by now. */
  readonly onRetry: () => void
}

/** What keeps a save from going through, what is kept, and what one can do. */
export const SaveNotice = ({ saver, onRetry }: Props): JSX.Element | null => {
  const { state } = saver
  const again = (
    <Button tone="primary" onClick={onRetry}>
      Try again
    </Button>
  )
  switch (state.phase) {
    case 'failed':
      return (
        <EditNotice title="Not saved" tone="danger" actions={again}>
          {state.message} {kept}
        </EditNotice>
      )
    case 'refused':
      return state.refusal.problem.spot.kind === 'nowhere' ? (
        <EditNotice title="Not saved" tone="danger" actions={again}>
          {state.refusal.problem.text} {kept}
        </EditNotice>
      ) : null
    case 'waiting':
      return <WaitNotice state={state} saver={saver} />
    case 'signed-out':
      return (
        <EditNotice title="Your session has ended" tone="danger" actions={<SignInButton />}>
          {kept} Sign in to continue.
        </EditNotice>
      )
    case 'other-session':
      return (
        <EditNotice
          title="Reload the page to save"
          tone="danger"
          actions={
            <Button tone="primary" onClick={() => location.reload()}>
              Reload
            </Button>
          }
        >
          You have signed in again since you opened this page. {kept}
        </EditNotice>
      )
    case 'full':
      return (
        <EditNotice
          title={`You have reached the limit of ${MAX_PACKS} packs`}
          tone="danger"
          actions={
            <>
              {again}
              <LinkButton href="/me">My packs</LinkButton>
            </>
          }
        >
          Delete a pack to save this one. {kept}
        </EditNotice>
      )
    case 'deleted':
      return (
        <EditNotice
          title="This pack was deleted elsewhere"
          tone="danger"
          actions={
            <Button tone="primary" onClick={() => void saver.saveAsNew()}>
              Save as a new pack
            </Button>
          }
        >
          It no longer exists on the site. {kept}
        </EditNotice>
      )
    default:
      return null
  }
}

type WaitProps = {
  readonly state: SaveState & { readonly phase: 'waiting' }
  readonly saver: Saver
}

const WaitNotice = ({ state: { until }, saver }: WaitProps): JSX.Element => {
  const secondsNow = (): number => Math.max(0, Math.ceil((until - now()) / 1000))
  const [seconds, setSeconds] = useState(secondsNow)
  useEffect(() => {
    setSeconds(secondsNow())
    const timer = setInterval(() => setSeconds(secondsNow()), 500)
    return () => clearInterval(timer)
  }, [until])
  return (
    <EditNotice
      title="Waiting to save"
      actions={<Button onClick={() => saver.stop()}>Cancel</Button>}
    >
      Too many saves this minute. Saving continues automatically in{' '}
      {/* Screen readers hear it once, not each second. */}
      <span aria-live="off">{formatWait(seconds)}</span>. {kept}
    </EditNotice>
  )
}
