/**
 * Which of these tags an `If-None-Match` names (RFC 9110, 13.1.2: compared weakly); null when it names
 * none. `*` names the first.
 */
export const matchedTag = (
  ifNoneMatch: string | undefined,
  tags: readonly string[],
): string | null => {
  if (ifNoneMatch === undefined) return null
  if (ifNoneMatch.trim() === '*') return tags[0] ?? null
  const named = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.find((tag) => named.includes(tag)) ?? null
}

/** Does an `If-None-Match` name this tag? */
export const matchesTag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  matchedTag(ifNoneMatch, [etag]) !== null
