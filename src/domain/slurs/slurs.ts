import { invalidInput } from '../../contract/errors.ts'
import { builtinCodes } from '../../contract/mods.ts'
import { type AnyFields, fieldTexts } from '../../pool/pack-fields.ts'
import type { PoolDraft } from '../../pool/pool.ts'
import { plain, readings } from './readings.ts'
import { stemBank } from './slur-bank.ts'
import { glueWords, hasStem } from './slur-scan.ts'
import slursByLanguage from './slurs.json' with { type: 'json' }
import { hasMasked, maskedWords } from './spelling.ts'

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
  const problems: string[] = []
  for (const { place, text } of texts) {
    const word = text.toLowerCase()
    if (!seen.has(word) && containsSlur(text)) problems.push(`${place} must not contain a slur`)
    seen.add(word)
  }
  if (problems.length > 0) throw invalidInput(problems)
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
