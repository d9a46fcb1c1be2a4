/** The content codings that an answer can have, the smallest first; `identity` is no coding. */
export const contentCodings = ['br', 'zstd', 'gzip', 'identity'] as const
export type ContentCoding = (typeof contentCodings)[number]

/** `q` as RFC 9110 writes it: 0 to 1 with at most three decimals. */
const WEIGHT = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/

/**
 * The coding to answer in: the one that the client prefers, among equals the first of `available`
 * (RFC 9110, 12.5.3). `identity` when the client states no preference, or refuses every coding.
 *
 * @param acceptEncoding the header; undefined when there is none.
 * @param available the codings to choose from, the best first; `identity` among them.
 */
export const chooseCoding = <C extends ContentCoding>(
  acceptEncoding: string | undefined,
  available: readonly C[],
): C | 'identity' => {
  if (acceptEncoding === undefined) return 'identity'
  const weights = readWeights(acceptEncoding)
  let best: C | 'identity' = 'identity'
  let most = 0
  for (const coding of available) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0
    if (weight > most) {
      best = coding
      most = weight
    }
  }
  return best
}

function readWeights(acceptEncoding: string): ReadonlyMap<string, number> {
  return new Map(
    acceptEncoding.split(',').map((member) => {
      const [name = '', ...parameters] = member.split(';').map((part) => part.trim())
      return [name.toLowerCase().replace(/^x-gzip$/, 'gzip'), weightIn(parameters)]
    }),
  )
}

function weightIn(parameters: readonly string[]): number {
  const q = parameters.find((parameter) => /^q\s*=/i.test(parameter))
  if (q === undefined) return 1
  const text = q.slice(q.indexOf('=') + 1).trim()
  return WEIGHT.test(text) ? Number(text) : 0
}

/** The strong tag of a representation in this coding: `"x"` as it is, `"x-br"` in brotli (D-52). */
export const codedTag = (etag: string, coding: ContentCoding): string =>
  coding === 'identity' ? etag : `${etag.slice(0, -1)}-${coding}"`

/** The tags of a representation in every coding. */
export const tagsOf = (etag: string): readonly string[] =>
  contentCodings.map((coding) => codedTag(etag, coding))
