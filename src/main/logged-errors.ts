/** An error as the log shows it: with all its causes, each said once. Errors of ours name theirs in their own messages. */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const chain = chainOf(error)
  const message = chain.reduce((said, { message }) => {
    if (said.includes(message)) return said
    return said === '' ? message : `${said}: ${message}`
  }, '')
  const stack = chain.map((each) => each.stack ?? each.message).join('\ncaused by: ')
  const fields = Object.entries(error).filter(([name]) => name !== 'cause')
  return {
    type: error.constructor.name,
    message,
    stack,
    ...(error instanceof AggregateError && { aggregateErrors: error.errors.map(loggedError) }),
    ...Object.fromEntries(fields.map(([name, value]) => [name, loggedError(value)])),
  }
}

/** The error, what caused it, and so on. */
function chainOf(error: Error): readonly Error[] {
  const chain = new Set<Error>()
  for (let each: unknown = error; each instanceof Error && !chain.has(each); each = each.cause) {
    chain.add(each)
  }
  return [...chain]
}
