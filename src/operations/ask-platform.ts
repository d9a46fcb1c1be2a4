import { PlatformTrouble } from '../domain/platform.ts'

/** How asking went. */
export type Asked = {
  /** How many questions were answered. */
  readonly answered: number
  /** Why the others were not; of several reasons, the one that says when to ask again. */
  readonly trouble: PlatformTrouble | null
}

/** The budget gives 50 calls a minute: more at once would only make them late together. */
const AT_ONCE = 4
/** So often the platform may answer none of the questions put at once. */
const PATIENCE = 2

const tellingMore = (a: PlatformTrouble | null, b: PlatformTrouble): PlatformTrouble =>
  a === null || (a.retryAt ?? 0) < (b.retryAt ?? 0) ? b : a

/**
 * Puts questions to the platform, a few at once, until all are answered, `most` were put, the
 * platform says when to come back, or it does not answer at all.
 *
 * @param split smaller questions to put in place of one that failed.
 */
export const askPlatform = async <Q>(
  questions: readonly Q[],
  ask: (question: Q) => Promise<void>,
  { most, split = () => [] }: { most: number; split?: (failed: Q) => readonly Q[] },
): Promise<Asked> => {
  const line = [...questions]
  let left = most
  let answered = 0
  let silences = 0
  let trouble: PlatformTrouble | null = null

  const put = async (question: Q): Promise<void> => {
    try {
      await ask(question)
      answered += 1
    } catch (error) {
      if (!(error instanceof PlatformTrouble)) throw error
      trouble = tellingMore(trouble, error)
      line.push(...split(question))
    }
  }
  const mayGoOn = (): boolean => (trouble?.retryAt ?? null) === null && silences < PATIENCE

  while (line.length > 0 && left > 0 && mayGoOn()) {
    const burst = line.splice(0, Math.min(AT_ONCE, left))
    const before = answered
    left -= burst.length
    await Promise.all(burst.map(put))
    silences = answered === before ? silences + 1 : 0
  }
  return { answered, trouble }
}
