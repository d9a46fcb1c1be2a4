import type { ErrorCode } from '../../src/contract/errors.ts'

/** One thing a careless or hostile client sends, and the answer it gets to the letter. */
export type BadCase = {
  readonly title: string
  readonly method?: string
  /** Below `/api/v1`; `/packs` when left out. */
  readonly path?: string
  /** Sent as JSON, or as it is when it is text or bytes. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly code: ErrorCode
  readonly message: string | RegExp
  /** What no part of the answer may repeat. */
  readonly secret?: string
}

/** A case whose body is refused with `bad_request`. */
export const badBody = (title: string, body: unknown, message: string | RegExp): BadCase => ({
  title,
  method: 'POST',
  body,
  code: 'bad_request',
  message,
})

/** Shows a value in a title. */
export const show = (value: unknown): string =>
  (JSON.stringify(value) ?? 'undefined').replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 40)
