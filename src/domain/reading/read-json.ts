import { Failure } from '../../contract/failure.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** A lone surrogate or U+0000 can only come out of an escape: raw, both are refused before (D-18). */
const isSound = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

const isSoundValue = (root: unknown): boolean => {
  const waiting = [root]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'string' && !isSound(value)) return false
    if (typeof value === 'object' && value !== null) {
      if (!Object.keys(value).every(isSound)) return false
      waiting.push(...Object.values(value))
    }
  }
  return true
}

/** Reads a body as JSON; `bad_request` for anything that is not sound UTF-8 and sound JSON (D-18). */
export const readJson = (bytes: Uint8Array): unknown => {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new Failure('bad_request', 'the body must be UTF-8')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Failure('bad_request', 'the body must be valid JSON')
  }
  if (text.includes('\\u') && !isSoundValue(value)) {
    throw new Failure('bad_request', 'the body must hold no lone surrogate and no U+0000')
  }
  return value
}
