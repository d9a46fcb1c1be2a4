import type { ComponentProps } from 'preact'
import { useAction } from '../action.ts'
import { Button } from './buttons.tsx'
import { FailureLine } from './notices.tsx'

type ActionButtonProps = ComponentProps<typeof Button> & {
  readonly work: () => Promise<void>
  /** What to do about an error, after what went wrong. */
  readonly adviceFor?: (error: unknown) => string
}

export function ActionButton({ work, adviceFor, ...rest }: ActionButtonProps) {
  const { isBusy, error, run } = useAction()
  return (
    <>
      <Button {...rest} busy={isBusy} onClick={() => run(work)} />
      <FailureLine error={error}>{adviceFor?.(error)}</FailureLine>
    </>
  )
}
