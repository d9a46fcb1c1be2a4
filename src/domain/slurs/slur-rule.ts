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

/** Invisible characters that run from right to left. */
const mark = /[\u200f\u061c]+/gu
/** Letters that do. */
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+/gu
/** Reverses all text behind it; texts stored before D-47 may hold one. */
const OVERRIDE = '\u202e'

/** A small letter and a capital: another word may begin there. */
const hump = /(?<=\p{Ll})(?=\p{Lu})/gu

/** The text as it is read: as it is stored, with words parted that capitals part, and as it is shown. */
const readings = (text: string): string[] => {
  const found = [plain(text)]
  // Between characters that run right to left, pieces of Latin text are shown in the opposite order.
  if (text.search(mark) >= 0) found.push(plain(text.split(mark).toReversed().join('')))
  if (text.search(rightToLeft) >= 0)
    found.push(plain(text.split(rightToLeft).toReversed().join(' ')))
  if (text.includes(OVERRIDE)) found.push(Array.from(plain(text)).toReversed().join(''))
  const parted = found[0]?.replace(hump, '/') ?? ''
  return parted === found[0] ? found : [...found, parted]
}

/** Whether there is a slur in the text, disguised or not (D-24). It never tells which. */
export const containsSlur = (text: string): boolean =>
  readings(text)
    .map((reading) => reading.replace(falseFriends, ','))
    .some((rest) => [...skeletons(rest)].some((skeleton) => hasStem(bank, skeleton)))

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
