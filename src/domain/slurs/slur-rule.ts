import type { PoolDraft } from '../../pool/pool.ts'
import { invalidInput } from '../../contract/failure.ts'
import { plain, skeletons } from './skeleton.ts'
import { slurs } from './slur-list.ts'
import { hasStem } from './slur-scan.ts'
import { stemBank } from './stem-bank.ts'

const bank = stemBank(slurs.map(({ stem }) => stem))

const edged = (friend: string): string => {
  const core = plain(friend).replace(/^\*|\*$/g, '')
  const [before, after] = [friend.startsWith('*'), friend.endsWith('*')]
  return `${before ? '' : '(?<![\\p{L}\\p{N}])'}(?:${core})${after ? '' : '(?![\\p{L}\\p{N}])'}`
}

const falseFriends = new RegExp(
  slurs.flatMap(({ friends }) => (friends ?? []).map(edged)).join('|'),
  'giu',
)

/** Whether there is a slur in the text, disguised or not (D-24). It never tells which. */
export const containsSlur = (text: string): boolean => {
  const rest = plain(text).replace(falseFriends, ',')
  return [...skeletons(rest)].some((skeleton) => hasStem(bank, skeleton))
}

/** The parts of a pack that people read. */
export type Wording = Pick<PoolDraft, 'name' | 'buckets' | 'slots'> & {
  readonly description?: string | null | undefined
}

/**
 * The content rule (spec 2.8, D-24), on a pack as it was sent.
 *
 * @throws Failure `bad_request` that names the places with a slur, and never the word.
 */
export const refuseSlurs = ({ name, description, buckets, slots }: Wording): void => {
  const texts = [
    { place: 'name', text: name },
    { place: 'description', text: description ?? '' },
    ...(buckets ?? []).map(({ code }, index) => ({ place: `buckets[${index}].code`, text: code })),
    ...slots.map(({ mod }, index) => ({ place: `slots[${index}].mod`, text: mod ?? '' })),
  ]
  const seen = new Set<string>()
  const problems: string[] = []
  for (const { place, text } of texts) {
    const word = text.toLowerCase()
    if (!seen.has(word) && containsSlur(text)) problems.push(`${place} must not contain a slur`)
    seen.add(word)
  }
  if (problems.length > 0) throw invalidInput(problems)
}
