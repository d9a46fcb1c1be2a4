import { Failure } from '../../contract/failure.ts'

/** What `If-Match` asks for: any state at all, or one of these strong tags, quotes included. */
export type IfMatch = '*' | readonly string[]

/** Throws unless the write may go ahead; null is a resource that is not there for the caller. */
export type Precondition<T> = (current: T | null) => void

/** One member of the list, perhaps empty (RFC 9110, 5.6.1), up to its comma or the end. */
const MEMBER = /[ \t]*(?:(W\/)?("[!#-~\x80-\xff]*")[ \t]*)?(?:,|$)/y

/**
 * Reads `If-Match` (RFC 9110, 13.1.1, D-48). Weak tags are left out: under the strong comparison
 * they match nothing.
 *
 * @returns null when the header was not sent.
 * @throws `bad_request` for anything but `*` or a list of entity tags.
 */
export const readIfMatch = (header: string | undefined): IfMatch | null => {
  if (header === undefined) return null
  const text = header.trim()
  if (text === '*') return '*'
  const strong: string[] = []
  let members = 0
  for (MEMBER.lastIndex = 0; MEMBER.lastIndex < text.length;) {
    const [, weak, tag] = MEMBER.exec(text) ?? refuse()
    if (tag === undefined) continue
    members += 1
    if (weak === undefined) strong.push(tag)
  }
  return members === 0 ? refuse() : strong
}

function refuse(): never {
  throw new Failure(
    'bad_request',
    'If-Match must be * or a list of ETags as they were received, quotes included',
  )
}

/**
 * What a write with this `If-Match` checks before anything is changed (D-48). A resource that is
 * not there passes unless the header is `*`: the caller's own 404 then says so.
 *
 * @param tagsOf every current tag of the resource, one for each content coding.
 * @returns undefined when the header was not sent; otherwise it throws `precondition_failed`.
 */
export const preconditionOf = <T>(
  ifMatch: IfMatch | null,
  tagsOf: (current: T) => readonly string[],
): Precondition<T> | undefined => {
  if (ifMatch === null) return undefined
  return (current) => {
    const isMatch =
      current === null
        ? ifMatch !== '*'
        : ifMatch === '*' || tagsOf(current).some((tag) => ifMatch.includes(tag))
    if (isMatch) return
    throw new Failure(
      'precondition_failed',
      current === null
        ? 'If-Match: * needs a pack with this slug that you may change, and there is none'
        : 'the pack is no longer in the state that If-Match names; read it again and send its new ETag',
    )
  }
}
