/** Which of its fields a version of .osdb has. */
export type OsdbLayout = {
  readonly version: number
  /** From here on everything behind the first mark is packed with gzip, the mark once more in it. */
  readonly isPacked: boolean
  readonly hasOnlineId: boolean
  readonly hasSetId: boolean
  readonly hasNames: boolean
  readonly hasComment: boolean
  readonly hasRuleset: boolean
  readonly hasStars: boolean
  readonly hasHashes: boolean
}

const MARK = /^o!dm([2-8]?)(min)?$/

/**
 * How a file that begins with the mark is laid out; empty for a mark that is not known. The
 * smaller form of version 8 has been described with and without its last fields; the footer shows
 * which of the layouts it is, so they are tried one after the other.
 */
export function layoutsOf(mark: string): readonly OsdbLayout[] {
  const match = MARK.exec(mark)
  if (match === null) return []
  const version = Number(match[1] === '' ? 1 : match[1])
  const isMinimal = match[2] !== undefined
  const layout = {
    version,
    isPacked: version >= 7,
    hasOnlineId: version >= 7,
    hasSetId: version >= 2,
    hasNames: !isMinimal,
    hasComment: version >= 4,
    hasRuleset: version >= 8 || (version >= 5 && !isMinimal),
    hasStars: version >= 8 || (version >= 6 && !isMinimal),
    hasHashes: version >= 3,
  }
  if (version < 8 || !isMinimal) return [layout]
  return [layout, { ...layout, hasStars: false }, { ...layout, hasRuleset: false, hasStars: false }]
}
