import { type IndexCoding, indexCodings } from '../operations/published-index.ts'

/** `q` as RFC 9110 writes it: 0 to 1 with at most three decimals. */
const WEIGHT = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/

const weightIn = (parameters: readonly string[]): number => {
  const q = parameters.find((parameter) => /^q\s*=/i.test(parameter))
  if (q === undefined) return 1
  const text = q.slice(q.indexOf('=') + 1).trim()
  return WEIGHT.test(text) ? Number(text) : 0
}

const readWeights = (acceptEncoding: string): ReadonlyMap<string, number> =>
  new Map(
    acceptEncoding.split(',').map((member) => {
      const [name = '', ...parameters] = member.split(';').map((part) => part.trim())
      return [name.toLowerCase().replace(/^x-gzip$/, 'gzip'), weightIn(parameters)]
    }),
  )

/**
 * The coding to answer in: the one that the client likes best, of equals the smallest (RFC 9110,
 * 12.5.3). Who says nothing, or refuses all that there is, gets the text as it is.
 *
 * @param acceptEncoding the header; undefined when there is none.
 */
export const chooseCoding = (acceptEncoding: string | undefined): IndexCoding => {
  if (acceptEncoding === undefined) return 'identity'
  const weights = readWeights(acceptEncoding)
  let best: IndexCoding = 'identity'
  let most = 0
  for (const coding of indexCodings) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0
    if (weight > most) {
      best = coding
      most = weight
    }
  }
  return best
}
