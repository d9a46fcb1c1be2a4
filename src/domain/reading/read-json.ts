import { Failure } from '../../contract/failure.ts'
import { findJsonFault } from './json-fault.ts'
import { join } from './schema-error.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * Reads a body as JSON; `bad_request` for anything that is not sound UTF-8 and sound JSON (D-18),
 * with the place and what is wrong there (D-51).
 */
export const readJson = (bytes: Uint8Array): unknown => {
  const text = readText(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw notJson(text)
  }
  // A lone surrogate or U+0000 can only come out of an escape: raw, both are refused before.
  if (text.includes('\\u')) refuseUnsound(value)
  return value
}

function readText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    const other = otherEncoding(bytes)
    if (other !== null) throw wrongEncoding(other)
    const at = badByte(bytes)
    const line = bytes.subarray(0, at).filter((byte) => byte === 0x0a).length + 1
    throw notUtf8(`byte ${at + 1}, in line ${line}, is not; encode the body as UTF-8`)
  }
}

/** The encoding that the first bytes tell of, a byte order mark or half of `{`; null for neither. */
function otherEncoding(bytes: Uint8Array): 'UTF-16' | 'UTF-32' | null {
  const [a, b, c, d] = bytes
  const hasMark = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)
  const isWide = (a === 0 && b === 0) || (b === 0 && c === 0 && d === 0)
  if (isWide || (hasMark && c === 0 && d === 0)) return 'UTF-32'
  return hasMark || (a === 0) !== (b === 0) ? 'UTF-16' : null
}

/** The index of the first byte of the first sequence that is not UTF-8. */
function badByte(bytes: Uint8Array): number {
  const tolerant = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
  const text = tolerant.decode(bytes)
  const encoder = new TextEncoder()
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) {
    // All before it is sound, so that it has the length that it had.
    const offset = encoder.encode(text.slice(0, at)).length
    const isReal =
      bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd
    if (!isReal) return offset
  }
  return bytes.length
}

const notUtf8 = (why: string): Failure =>
  new Failure('bad_request', `the body must be UTF-8: ${why}`)

const wrongEncoding = (encoding: string): Failure =>
  notUtf8(`it is ${encoding}; encode it as UTF-8 before you send it`)

function notJson(text: string): Failure {
  const say = (what: string) => new Failure('bad_request', `the body must be valid JSON: ${what}`)
  if (text.trim() === '') return say('it is empty; send a JSON object')
  const wide = otherEncoding(new TextEncoder().encode(text.slice(0, 4)))
  if (wide !== null) return wrongEncoding(wide)
  const { at, what } = findJsonFault(text)
  const lines = text.slice(0, at).split(/\r\n|\r|\n/)
  const column = Array.from(lines.at(-1) ?? '').length + 1
  return say(`line ${lines.length}, column ${column}: ${what}`)
}

/** What is wrong with a text that no store can keep as it is; null when nothing is (D-18). */
const unsoundness = (text: string): string | null => {
  if (text.includes('\0')) return 'U+0000'
  return text.isWellFormed() ? null : 'lone surrogate'
}

/** Refuses the first string or name that is not sound, in the order of the body. */
function refuseUnsound(root: unknown): void {
  const waiting: { readonly value: unknown; readonly place: string }[] = [
    { value: root, place: '' },
  ]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, place } = next
    if (typeof value === 'string') {
      const found = unsoundness(value)
      if (found === null) continue
      throw new Failure('bad_request', `${place || 'the body'} must hold no ${found}`)
    }
    if (typeof value !== 'object' || value === null) continue
    const members = Object.entries(value)
    for (const [name] of members) {
      const found = unsoundness(name)
      if (found === null) continue
      throw new Failure('bad_request', `${place || 'the body'} has a field name with a ${found}`)
    }
    for (const [name, inner] of members.toReversed()) {
      if (typeof inner === 'string' || typeof inner === 'object') {
        waiting.push({ value: inner, place: join(place, name) })
      }
    }
  }
}
