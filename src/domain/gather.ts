type Asked<Q, A> = PromiseWithResolvers<A> & { readonly question: Q }

/**
 * Puts together what is asked until `later` calls back: the more there is to do, the less each costs.
 *
 * @param answerAll gives each question's answer, in their order.
 * @param most questions that go together; those go at once.
 * @param later calls back soon; nobody waits for longer.
 */
export const gather = <Q, A>(
  answerAll: (questions: readonly Q[]) => readonly Promise<A>[],
  most: number,
  later: (work: () => void) => void,
): ((question: Q) => Promise<A>) => {
  let waiting: Asked<Q, A>[] = []

  const leave = (): void => {
    const asked = waiting
    waiting = []
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
    if (waiting.length === 0) later(leave)
    if (waiting.push(asked) === most) leave()
    return asked.promise
  }
}
