import { invalidInput } from '../../contract/errors.ts'
import type { PoolDraft } from '../../pool/pool.ts'
import { hasStem, plain } from './slur-scan.ts'
import slursByLanguage from './slurs.json' with { type: 'json' }
import { stemBank } from './stems.ts'

/** The parts of a pack that people read. */
type Wording = Pick<PoolDraft, 'name' | 'buckets' | 'slots'> & {
  readonly description?: string | null | undefined
}

/**
 * The content rule (spec 2.8, D-24), on a pack as it was sent.
 *
 * @throws AppError `bad_request` that names the places with a slur, and never the word.
 */
export function refuseSlurs({ name, description, buckets, slots }: Wording): void {
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

/** Whether there is a slur in the text, disguised or not (D-24). It never reports which. */
export function containsSlur(text: string): boolean {
  return readings(text).some((reading) => hasStem(bank, reading.replace(falseFriends, ',')))
}

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
function readings(text: string): string[] {
  const stored = plain(text)
  const found = [stored]
  const parted = stored.replace(hump, '/')
  if (parted !== stored) found.push(parted)
  // Between characters that run right to left, pieces of Latin text are shown in the opposite order.
  if (text.search(mark) >= 0) found.push(plain(text.split(mark).toReversed().join('')))
  if (text.search(rightToLeft) >= 0) {
    found.push(plain(text.split(rightToLeft).toReversed().join(' ')))
  }
  if (text.includes(OVERRIDE)) found.push(Array.from(stored).toReversed().join(''))
  return found
}

/**
 * The slurs that the content rule refuses (spec 2.8, D-24), by language. They are stored in full because
 * a list that cannot be read cannot be reviewed; no answer and no log ever repeats one.
 *
 * What is in: words whose use is to demean people for their origin, skin, faith, sexuality, gender
 * or disability, of the languages that players write. What is not: ordinary swearing; what people
 * also call themselves, as queer; and words that are met far more often in an innocent sense, among
 * them negro (a Spanish colour), homo, jap, nip, nig, abo, mong, tard, wop, dago, squaw, gypsy,
 * golliwog, spastic, marica, bicha, pédé, jidan, ibne, Zigeuner.
 *
 * A stem is in lower case. `*` at an end: the word may go on there. A plural s and the lack of a space
 * need no entry. Its friends are the innocent words and phrases that would be taken for it, as regular
 * expressions without marks: chords for one, and French and musicians' words for a delay for another.
 */
export const slurs = Object.values(slursByLanguage).flatMap((stems) =>
  Object.entries(stems).map(([stem, friends]) => ({ stem, friends })),
)

const bank = stemBank(slurs.map(({ stem }) => stem))

function edged(friend: string): string {
  const core = plain(friend).replace(/^\*|\*$/g, '')
  const [before, after] = [friend.startsWith('*'), friend.endsWith('*')]
  return `${before ? '' : '(?<![\\p{L}\\p{N}])'}(?:${core})${after ? '' : '(?![\\p{L}\\p{N}])'}`
}

const falseFriends = new RegExp(slurs.flatMap(({ friends }) => friends.map(edged)).join('|'), 'giu')
