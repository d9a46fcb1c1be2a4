import { builtinCodes } from '../../contract/mods.ts'
import { type InputProblem, wrong } from '../../pool/input-words.ts'
import { invalidInput } from '../invalid-input.ts'
import { type AnyFields, fieldTexts } from '../../pool/pack-fields.ts'
import type { PoolDraft } from '../../pool/pool.ts'
import alphabets from './alphabets.json' with { type: 'json' }
import { maskedWords, stemBank } from './slur-bank.ts'
import { glueWords, hasStem } from './slur-scan.ts'
import slursByLanguage from './slurs.json' with { type: 'json' }
import {
  drawnLetters,
  hasMasked,
  inOneAlphabet,
  isForeign,
  partedWords,
  plain,
  spelledTogether,
} from './spelling.ts'

/** The content rule (spec 2.8, D-24): `bad_request` names the places of slurs, never the word. */
export function refuseSlurs(pack: PoolDraft & AnyFields): void {
  refuseSlursIn([{ place: 'name', text: pack.name }, ...fieldTexts(pack), ...codeTexts(pack)])
}

/** A text that people read, and where it is, as in `PoolProblem`. */
export type PlacedText = { readonly place: string; readonly text: string }

/** The codes of a pool. */
export const codeTexts = ({
  buckets,
  slots,
}: Pick<PoolDraft, 'buckets' | 'slots'>): PlacedText[] => [
  ...(buckets ?? []).map(({ code }, index) => ({ place: `buckets[${index}].code`, text: code })),
  ...slots.map(({ mod }, index) => ({ place: `slots[${index}].mod`, text: mod ?? '' })),
]

/** As `refuseSlurs`, for any texts. */
export function refuseSlursIn(texts: readonly PlacedText[]): void {
  const seen = new Set<string>(harmless)
  const problems: InputProblem[] = []
  for (const { place, text } of texts) {
    const word = text.toLowerCase()
    if (!seen.has(word) && containsSlur(text)) problems.push({ place, what: wrong('slur') })
    seen.add(word)
  }
  if (problems.length > 0) throw invalidInput(problems, 'slur')
}

/** Nearly all that packs hold: the rule takes several µs for each text. */
const harmless = ['', ...builtinCodes.map((code) => code.toLowerCase())]

/** Whether there is a slur in the text, disguised or not (D-24). It never reports which. */
export function containsSlur(text: string): boolean {
  return readings(withoutNames(text)).some((reading) => {
    const rest = reading.replace(falseFriends, ',')
    return hasStem(bank, rest) || hasMasked(masked, rest)
  })
}

/**
 * The slurs that the content rule refuses (spec 2.8, D-24). They are stored in full because a list
 * that cannot be read cannot be reviewed; no answer and no log ever repeats one.
 *
 * What is in: words whose use is to demean people for their origin, skin, faith, sexuality, gender
 * or disability, of the languages that players write. What is not: ordinary swearing; what people
 * also call themselves, as queer; and words that are met far more often in an innocent sense, among
 * them negro (a Spanish colour), homo, jap, nip, nig, abo, mong, tard, wop, dago, squaw, gypsy,
 * golliwog, spastic, marica, bicha, pédé, jidan, ibne, Zigeuner.
 *
 * A stem is in lower case. `*` at an end: the word may continue. A plural s and the lack of a space
 * need no entry. Its friends are the innocent words and phrases that would be taken for it, as regular
 * expressions without marks: chords for one, and French and musicians' words for a delay for another.
 */
export const slurs = Object.values(slursByLanguage).flatMap((stems) =>
  Object.entries(stems).map(([stem, friends]) => ({ stem, friends })),
)

const bank = stemBank(slurs.map(({ stem }) => stem))
const masked = maskedWords(slurs.map(({ stem }) => stem.replaceAll('*', '')))

function edged(friend: string): string {
  const core = plain(friend).replace(/^\*|\*$/g, '')
  const [before, after] = [friend.startsWith('*'), friend.endsWith('*')]
  return `${before ? '' : '(?<!\\p{L})'}(?:${core})${after ? '' : '(?!\\p{L})'}`
}

const falseFriends = new RegExp(slurs.flatMap(({ friends }) => friends.map(edged)).join('|'), 'giu')

/**
 * The text without surnames and nicknames that are spelled like a slur (D-24), each replaced by a comma.
 * One is a name where it is written as names are, a capital and small letters without any disguise, and stands
 * as names do: alone as the whole text, also in brackets or with a number ("Dykes", "(Dykes)", "Dykes123"), after
 * a given name or an initial ("Anna Neger", "R. Coons"), also with a nickname between (`Anna "Annie" Dykes`),
 * before one and a comma ("Neger, Anna"), after a title ("Dr. Dykes") or who made something ("mapped by Dykes"),
 * behind another surname ("Smith-Dykes"), or as a nickname after its given name (`Enrique "Kike"`, "Enrique Kike
 * Wolff"). A given name is any word written like one that is not a common word: "Kill All Dykes" holds no name,
 * nor does "alle Neger", although German writes the slur with a capital as well.
 */
function withoutNames(text: string): string {
  if (!anyName.test(text)) return text
  return text
    .replace(onlySurname, ',')
    .replace(afterTitle, '$1,')
    .replace(afterGiven, (all, given: string) => (isGiven(given) ? `${given},` : all))
    .replace(afterSurname, (all, given: string) => (isGiven(given) ? `${given},` : all))
    .replace(beforeGiven, (all, given: string) => (isGiven(given) ? `, ${given}` : all))
    .replace(nickname, (all, given: string) => (isGiven(given) ? `${given},` : all))
    .replace(ownNickname, '$1, ')
}

const surname = '(?:Dykes?|Negers?|Neggers|Coons?|Beaners?|Faggs?|Gouine|Kaffer)'
/** German and Dutch make compounds with a hyphen of the others. */
const hyphened = '(?:Dykes?|Coons?|Beaners?|Faggs?)'
const given = '(\\p{Lu}[\\p{Ll}\\p{M}]{1,24}|\\p{Lu}\\.)'
const starts = '(?<![\\p{L}\\p{N}])'
const ends = '(?![\\p{L}\\p{M}\\p{N}])'

/** Hardly any text gets further. */
const anyName = /Dyke|Neg?ger|Coon|Beaner|Kike|Fagg|Gouine|Kaffer/
/** The year of a tournament is none of a player; some numbers are a greeting of those who hate. */
const number = '(?!(?:14|18|28|88)(?!\\d))(?:\\d{1,3}|19\\d\\d|200\\d)'
const onlySurname = new RegExp(`^\\s*[(\\[]?${surname}(?:${number})?[)\\]]?\\s*$`, 'u')
const afterTitle = new RegExp(
  `${starts}((?:Mr|Mrs|Ms|Dr|Prof)\\.? |(?:Herr|Frau|Mijnheer|Mevrouw|Madame|Monsieur) |(?:mapped|hosted|made|composed|arranged|organi[sz]ed|reffed|streamed|pooled|remixed|selected) by )${surname}${ends}`,
  'gu',
)
const afterGiven = new RegExp(
  `${starts}${given} (?:["“'‘(]\\p{Lu}[\\p{Ll}\\p{M}]{1,24}["”'’)] )?${surname}${ends}`,
  'gu',
)
const afterSurname = new RegExp(`${starts}${given}-${hyphened}${ends}`, 'gu')
const beforeGiven = new RegExp(`${starts}${surname}, ${given}${ends}`, 'gu')
const nickname = new RegExp(
  `${starts}${given} (?:"Kike"|“Kike”|«Kike»|'Kike'|‘Kike’|\\(Kike\\))`,
  'gu',
)
const ownNickname = new RegExp(`${starts}(Enrique|Henrique|Enric) Kike (?=\\p{Lu}\\p{Ll})`, 'gu')

function isGiven(word: string): boolean {
  const small = word.toLowerCase()
  return !glueWords.has(small) && !openers.has(small)
}

/** More words that begin a sentence or a title in front of a slur, English, German and Dutch. */
const openers: ReadonlySet<string> = new Set(
  `are ban be being bloody both bull burn butch crazy dear diesel each fake fat few ghetto goddamn hang
  his her is its jungle kick lesbian lil loud lynch many nasty no only porch punch rape report sand save
  shoot single slut such three two typical was what when where why wild
  alle allen andere arme das dem den der deutsche die diese dieser doofe doofer dreckige dreckiger drecks
  du dumme dummen dummer ein eine einem einen einer euer faule fauler fick fremde gegen gute hallo hässliche
  ihr jeder kein keine keinen liebe mein meine nein noch nur schwarze schwarzen schwarzer scheiss scheiß
  solche tote toter tötet und unser viele wir zwei
  de deze domme een geen het jij lelijke onze stomme vieze vuile weg zwarte`.split(/\s+/),
)

/**
 * The text in every way in which people read it: as it is stored, with joined words parted, as it is shown,
 * upside down, in a mirror, without what stands between its letters, with the letters above its letters, with
 * the letters that signs draw. Each is linear in the text, and most texts have one.
 */
function readings(text: string): string[] {
  const stored = inOneAlphabet(spelledTogether(plain(text)))
  const found = [stored]
  const parted = partedWords(stored)
  if (parted !== stored) found.push(parted)
  const unlaced = unlace(stored)
  if (unlaced !== '') found.push(unlaced)
  const written = drawnLetters(stored)
  if (written !== stored) found.push(written)
  if (isForeign(text)) found.push(...foreignReadings(text, stored))
  return found
}

/** Invisible characters that run from right to left. */
const mark = /[\u200f\u061c]+/gu
/** Letters that do. */
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+/gu
/** Reverses all text after it; texts stored before D-47 may hold one. */
const OVERRIDE = '\u202e'

function foreignReadings(text: string, stored: string): string[] {
  const found: string[] = []
  // Between characters that run right to left, pieces of Latin text are shown in the opposite order.
  if (text.search(mark) >= 0) found.push(plain(text.split(mark).toReversed().join('')))
  if (stored.search(rightToLeft) >= 0) {
    found.push(stored.split(rightToLeft).toReversed().join(' '))
  }
  if (text.includes(OVERRIDE)) found.push(backwards(stored))
  const set = spelledTogether(text)
  if (onItsHead.test(text)) {
    const upright = upended(set, onItsHead, turned)
    found.push(upright, backwards(upright))
  }
  if (inMirror.test(text)) found.push(upended(set, inMirror, mirrored))
  if (lettersAbove.test(text)) {
    const letters = hasCyrillic.test(text) ? new Map([...above, ...aboveCyrillic]) : above
    found.push(plain(text.replace(lettersAbove, (sign) => letters.get(sign) ?? sign)))
  }
  return found
}

/** The words that have such a character, from the end of the text to its beginning. */
function upended(text: string, sign: RegExp, letters: ReadonlyMap<string, string>): string {
  const shown = text
    .split(/\s+/)
    .map((word) =>
      sign.test(word) ? Array.from(word, (each) => letters.get(each) ?? each) : [','],
    )
  return plain(backwards(shown.map((word) => word.join('')).join(' ')))
}

const backwards = (text: string): string => Array.from(text).toReversed().join('')

/** Each character of such a table, and the letter that it is read as. */
const inverse = (table: Readonly<Record<string, string>>): Map<string, string> =>
  new Map(
    Object.entries(table).flatMap(([letter, characters]) =>
      Array.from(characters, (character) => [character, letter] as const),
    ),
  )

const turned = inverse(alphabets.turned)
const mirrored = inverse(alphabets.mirrored)
const above = inverse(alphabets.above)
const aboveCyrillic = inverse(alphabets.aboveCyrillic)
const hasCyrillic = /\p{Script=Cyrillic}/u

const anyOf = (letters: ReadonlyMap<string, string>, but: RegExp, flags = 'u'): RegExp =>
  new RegExp(`[${[...letters.keys()].filter((each) => !but.test(each)).join('')}]`, flags)

/** What only text on its head has: the rest are letters of living languages as well. */
const onItsHead = anyOf(turned, /[\0-\x7fıəſΛ∩]/u)
const inMirror = anyOf(mirrored, /[\0-\x7f\p{Script=Cyrillic}įʜ]/u)
const lettersAbove = anyOf(new Map([...above, ...aboveCyrillic]), /[^\p{M}]/u, 'gu')

/** So many times something stands between letters before it is taken for a disguise: "f1a1g". */
const LACES = 2
/** Letters that words alternate with, as "zapalać" does: it takes more of them. */
const COMMON_LACES = 4
const rareLetter = /[\djqvwxz]/i

/**
 * The words that have the same letter, or any digit, between all of their letters, without those; each of
 * them is a word of the text returned. Words such as "level" are among them: what remains of them is no word.
 */
function unlace(text: string): string {
  let found = ''
  const begun: [number, number] = [0, 1]
  for (let at = 2; at < text.length + 2; at += 1) {
    if (isLaced(text, at)) continue
    const start = begun[at & 1 ? 1 : 0]
    const laces = (at - start) / 2
    if (laces >= (rareLetter.test(text.charAt(start)) ? LACES : COMMON_LACES)) {
      for (let place = start - 1; place < at; place += 2) {
        found += text.charAt(place)
      }
      found += ' , '
    }
    begun[at & 1 ? 1 : 0] = at
  }
  return found
}

/** Whether what stands here stands before the last character as well, which is a letter. */
function isLaced(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  const before = text.charCodeAt(at - 2)
  const between = text.charCodeAt(at - 1)
  if (isDigit(code)) return isDigit(before) && between > DIGIT_9
  return (code | SMALL) === (before | SMALL) && code > DIGIT_9 && between > DIGIT_9
}

const DIGIT_0 = 48
const DIGIT_9 = 57
/** The bit in which a small ASCII letter differs from its capital. */
const SMALL = 32

const isDigit = (code: number): boolean => code >= DIGIT_0 && code <= DIGIT_9
