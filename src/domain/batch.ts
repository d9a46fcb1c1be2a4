/**
 * Answers questions in batches: those asked until `later` calls back, or `maxSize` of them at once.
 *
 * @param answerAll returns each question's answer, in their order.
 */
export function batch<Q, A>(
  answerAll: (questions: readonly Q[]) => readonly Promise<A>[],
  maxSize: number,
  later: (work: () => void) => void,
): (question: Q) => Promise<A> {
  let pending: (PromiseWithResolvers<A> & { readonly question: Q })[] = []

  function flush(): void {
    const asked = pending
    pending = []
    if (asked.length === 0) return
    try {
      const answers = answerAll(asked.map(({ question }) => question))
      for (const [at, { resolve }] of asked.entries()) resolve(answers[at] as Promise<A>)
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }

  return (question) => {
    const asked = { ...Promise.withResolvers<A>(), question }
    if (pending.length === 0) later(flush)
    if (pending.push(asked) === maxSize) flush()
    return asked.promise
  }
}

/** The items in their order, in arrays of at most `size`; none of them is empty. */
export function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}
