import type { Screen } from './screen.ts'

/** What stands around the program: all that a command may know of its machine. */
export type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** The person's own folder. */
  readonly home: string
  readonly stdin: NodeJS.ReadStream
  readonly screen: Screen
  /** Aborted, with an `Interrupted`, when the person presses Ctrl+C. */
  readonly signal: AbortSignal
  /** As if the person had pressed it. */
  readonly interrupt: () => void
  /** Leaves Ctrl+C to another program while the work goes on: to an editor, for example. */
  readonly leaveInterrupts: <T>(work: () => Promise<T>) => Promise<T>
  /** Milliseconds since 1970. */
  readonly now: () => number
}
