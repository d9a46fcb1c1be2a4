/** A state, and what led to it: `Move NM2 to HD1`. */
export type Step<S> = { readonly state: S; readonly label: string }

/** What was, what is, and what was undone. */
export type History<S> = {
  readonly past: readonly Step<S>[]
  readonly now: Step<S>
  readonly future: readonly Step<S>[]
  /** What is being typed into; the next change there joins the last one. */
  readonly tag: string | null
}

/** How many steps can be taken back. */
export const MOST_STEPS = 200

export const begin = <S>(state: S): History<S> => ({
  past: [],
  now: { state, label: '' },
  future: [],
  tag: null,
})

/**
 * Goes on to another state; what was undone is gone then.
 *
 * @param tag names a field: changes with the same tag, one behind the other, are one step.
 */
export const record = <S>(
  history: History<S>,
  state: S,
  label: string,
  tag: string | null = null,
): History<S> => {
  const { past, now } = history
  if (state === now.state) return history
  const joins = tag !== null && tag === history.tag
  return {
    past: joins ? past : [...past, now].slice(-MOST_STEPS),
    now: { state, label },
    future: [],
    tag,
  }
}

/** The next change is a step of its own. */
export const seal = <S>(history: History<S>): History<S> =>
  history.tag === null ? history : { ...history, tag: null }

/** Takes the last step back; the same history when there is none. */
export const undo = <S>(history: History<S>): History<S> => {
  const { past, now, future } = history
  const before = past.at(-1)
  if (before === undefined) return history
  return { past: past.slice(0, -1), now: before, future: [now, ...future], tag: null }
}

/** Takes the last step again that was taken back; the same history when there is none. */
export const redo = <S>(history: History<S>): History<S> => {
  const { past, now, future } = history
  const [after, ...rest] = future
  if (after === undefined) return history
  return { past: [...past, now], now: after, future: rest, tag: null }
}
