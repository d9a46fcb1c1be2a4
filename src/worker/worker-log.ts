/** Where a worker says what goes wrong. */
export type WorkerLog = {
  readonly warn: (details: object, message: string) => void
  readonly error: (details: object, message: string) => void
}
