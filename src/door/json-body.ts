import { hash } from 'node:crypto'

const SHORT_BYTES = 16_384

/** A JSON answer ready to be sent. `T` is what it holds. */
export type JsonBody<T> = {
  /** A short body is a string: Node sends it in one write with the headers. */
  readonly payload: string | Buffer
  /** In bytes. */
  readonly length: number
  /** Strong: equal bytes, equal tag (D-13). */
  readonly etag: string
  /** Never set; keeps the answers of different endpoints apart. */
  readonly holds?: T
}

/** Writes a value down as JSON, its fields in the order they stand in (D-45). */
export const jsonBody = <T>(value: T): JsonBody<T> => {
  const text = JSON.stringify(value)
  const length = Buffer.byteLength(text)
  return {
    payload: length <= SHORT_BYTES ? text : Buffer.from(text),
    length,
    etag: `"${hash('sha1', text, 'base64url')}"`,
  }
}

/**
 * Writes down what comes from `source` once, and gives the same bytes for as long as the stores
 * hand out the same object. `variant` tells apart what else goes into the value.
 */
export const memoJson = <T>() => {
  const known = new WeakMap<object, { variant: string; body: JsonBody<T> }>()
  return (source: object, variant: string, present: () => T): JsonBody<T> => {
    const held = known.get(source)
    if (held?.variant === variant) return held.body
    const body = jsonBody(present())
    known.set(source, { variant, body })
    return body
  }
}
