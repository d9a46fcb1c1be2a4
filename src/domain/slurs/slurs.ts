import { invalidInput } from '../../contract/errors.ts'
import type { PoolDraft } from '../../pool/pool.ts'
import { plain, skeletons } from './skeleton.ts'
import { hasStem } from './slur-scan.ts'
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

/** Whether there is a slur in the text, disguised or not (D-24). It never tells which. */
export const containsSlur = (text: string): boolean =>
  readings(text)
    .map((reading) => reading.replace(falseFriends, ','))
    .some((rest) => [...skeletons(rest)].some((skeleton) => hasStem(bank, skeleton)))

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
  const found = [plain(text)]
  // Between characters that run right to left, pieces of Latin text are shown in the opposite order.
  if (text.search(mark) >= 0) found.push(plain(text.split(mark).toReversed().join('')))
  if (text.search(rightToLeft) >= 0)
    found.push(plain(text.split(rightToLeft).toReversed().join(' ')))
  if (text.includes(OVERRIDE)) found.push(Array.from(plain(text)).toReversed().join(''))
  const parted = found[0]?.replace(hump, '/') ?? ''
  return parted === found[0] ? found : [...found, parted]
}

/** A slur to refuse, beside the innocent words that would be taken for it. */
type Slur = {
  /** Lower case. `*` at an end: the word may go on there. A plural s and the lack of a space need no entry. */
  readonly stem: string
  /** Regular expressions for whole words or phrases, without marks; `*` at an end as in `stem`. */
  readonly friends?: readonly string[]
}

/**
 * The slurs that the content rule refuses (spec 2.8, D-24). They stand here in full because a list
 * that cannot be read cannot be reviewed; no answer and no log ever repeats one.
 *
 * What is in: words whose use is to demean people for their origin, skin, faith, sexuality, gender
 * or disability, of the languages that players write. What is not: ordinary swearing; what people
 * also call themselves, as queer; and words that are met far more often in an innocent sense, among
 * them negro (a Spanish colour), homo, jap, nip, nig, abo, mong, tard, wop, dago, squaw, gypsy,
 * golliwog, spastic, marica, bicha, pédé, jidan, ibne, Zigeuner.
 */
export const slurs: readonly Slur[] = [
  // English: origin, skin and faith
  { stem: '*nigger*', friends: ['snigger*'] },
  { stem: 'niqqer*' },
  { stem: 'nygger*' },
  { stem: '*nigga*', friends: ['niggard*', 'niggahita'] },
  { stem: 'niqqa*' },
  { stem: 'niggr*' },
  { stem: '*nigguh*', friends: ['huggins?'] },
  { stem: 'niglet' },
  { stem: 'nignog', friends: ['gongin'] },
  { stem: 'sheboon' },
  {
    stem: 'coon',
    friends: [
      'maine coons?',
      'coon cats?',
      'chris coons',
      'carrie coon',
      'ty coon',
      'coon rapids',
      'co on',
    ],
  },
  { stem: 'jigaboo' },
  { stem: 'pickaninny' },
  { stem: 'spearchucker' },
  { stem: 'porch monkey' },
  { stem: 'jungle bunny' },
  { stem: 'jungle bunnies' },
  { stem: 'chink', friends: ['chinks? (?:in|of)'] },
  { stem: 'chinky' },
  { stem: 'chinki' },
  { stem: 'chinkies' },
  { stem: 'ching chong' },
  { stem: 'gook', friends: ['*-gook', '(?:han|mi|jung|jeong) gook', 'go ok'] },
  { stem: 'zipperhead' },
  { stem: 'slant eye*' },
  {
    stem: 'paki',
    friends: ['paki[ -]paki', 'paki-*', 'pa-ki-*', 'pakki', 'selle paki', 'ob paki', 'pak i'],
  },
  { stem: 'pajeet*' },
  { stem: 'curry muncher' },
  { stem: 'dothead' },
  { stem: 'towel head' },
  { stem: 'raghead' },
  { stem: 'camel jockey' },
  { stem: 'sand monkey' },
  { stem: 'mudslime', friends: ['mud slimes?'] },
  { stem: 'wog' },
  { stem: 'kaffer' },
  { stem: 'kaffir', friends: ['kaffir limes?', 'kaffir lily', 'kaffir lilies'] },
  { stem: 'spic', friends: ['splc', 'spic (?:and|n|&) span', 'spic-(?:and|n)-span'] },
  { stem: 'spick', friends: ['spick (?:and|n|&|und) span', 'spick-(?:and|n|und)-span'] },
  { stem: 'wetback', friends: ['wet backs?'] },
  { stem: 'beaner', friends: ['be an er'] },
  { stem: 'gyppo' },
  { stem: 'pikey', friends: ['pi keys?'] },
  { stem: 'kike', friends: ['w?o kike', 'kike yo', 'kike (?:hernandez|pavon|garcia)'] },
  { stem: 'jewboy' },

  // English: sexuality, gender and disability
  { stem: '*faggot*' },
  { stem: '*phaggot*' },
  { stem: '*faggit*' },
  { stem: 'faggy' },
  {
    stem: 'fag',
    friends: [
      'fag (?:ends?|breaks?)',
      'fag-ends?',
      'fag an? bealach',
      // Chords.
      '[a-g][ -]f[ -]a[ -]g(?:[ -][a-g])*(?![ -]\\w\\b)',
      'f[ -]a[ -]g(?:[ -][a-g])+(?![ -]\\w\\b)',
    ],
  },
  {
    stem: 'dyke',
    friends: [
      'van dykes?',
      "(?:offa|devil)'?s dykes?",
      'dykes? (?:road|march|marches)',
      'ring dykes?',
    ],
  },
  { stem: 'bulldyke' },
  { stem: 'poofter' },
  { stem: 'fudge packer' },
  { stem: 'batty boy' },
  { stem: 'tranny*' },
  { stem: 'trannie' },
  { stem: 'shemale' },
  {
    stem: 'retard',
    // French and Catalan for a delay, and musicians' short form of ritardando.
    friends: [
      '(?:en|el|amb|le|du|de|un|au|ce|mon|ton|son|sans|avec|aucun|leger|petit|gros) retards?',
      '(?:les|des|mes|tes|ses|nos|vos|leurs) retards',
      "d'?un retard",
      'retards? (?:de|du|des|dans|sur|mental)',
    ],
  },
  { stem: 'retarded' },

  // German, Dutch and the Nordic languages
  { stem: 'neger', friends: ['negeer'] },
  { stem: 'zandneger' },
  { stem: 'kanake' },
  { stem: 'kanaken' },
  { stem: 'kanacke' },
  { stem: 'schlitzauge*' },
  { stem: 'judensau' },
  { stem: 'saujude*' },
  { stem: 'schwuchtel*' },
  { stem: 'spasti' },
  { stem: 'kutmarokkaan*' },
  { stem: 'svartskalle' },
  { stem: 'neekeri*' },

  // French, Spanish, Portuguese and Italian
  { stem: 'bougnoul*' },
  { stem: 'youpin', friends: ['you pins?'] },
  { stem: 'youpine', friends: ['you pine'] },
  { stem: 'youtre', friends: ['you trees?'] },
  { stem: 'chinetoque' },
  { stem: 'niakoue*' },
  { stem: 'tarlouze' },
  { stem: 'tantouze' },
  { stem: 'gouine' },
  { stem: 'maricon', friends: ['mari con'] },
  { stem: 'maricona' },
  { stem: 'maricones' },
  { stem: 'sudaca' },
  { stem: 'negrata' },
  { stem: 'travelo', friends: ['travel l?os'] },
  { stem: 'traveco' },
  { stem: 'viado', friends: ['vlad[o0]s?', 'via dos?'] },
  { stem: 'boiola' },
  { stem: 'frocio' },
  { stem: 'froci' },
  { stem: 'ricchione' },
  { stem: 'ricchioni' },

  // Russian, Ukrainian and Polish, in both alphabets where both are written
  { stem: '*ниггер*' },
  { stem: 'черножоп*' },
  { stem: 'chernozhop*' },
  { stem: 'чурка' },
  { stem: 'чурки' },
  { stem: 'чурок' },
  { stem: 'хохол' },
  { stem: 'хохлы' },
  { stem: 'кацап*' },
  { stem: 'узкоглаз*' },
  { stem: 'жид', friends: ['андре жида?'] },
  { stem: 'жиды' },
  { stem: 'жидов*' },
  { stem: 'zhidy' },
  { stem: 'пидор*' },
  { stem: 'пидар*' },
  { stem: 'pidor', friends: ['pid or'] },
  { stem: 'pidoras*' },
  { stem: 'pidar' },
  { stem: 'pidaras*' },
  { stem: 'czarnuch*' },
  { stem: 'ciapaty' },
  { stem: 'ciapak*' },
  { stem: 'pedalstwo' },

  // Turkish
  { stem: 'gotveren' },

  // Japanese, Chinese and Korean
  { stem: '*チョンコ*' },
  { stem: '*シナ人*', friends: ['*インドシナ人*'] },
  { stem: '*ガイジ*', friends: ['*ガイジ[ャュョェン]*'] },
  { stem: '*ニガー*' },
  {
    stem: '*支那*',
    friends: ['*印度支那*', '*交趾支那*', '*[東东南]支那海*', '*支那[竹そ么麼个個]*'],
  },
  { stem: '*高丽棒子*' },
  { stem: '*高麗棒子*' },
  { stem: '*黑鬼*' },
  { stem: '*짱깨*' },
  { stem: '*짱개*' },
  { stem: '*쪽바리*' },
  { stem: '*쪽발이*' },
  { stem: '*깜둥이*' },
  { stem: '*조센징*' },
]

const bank = stemBank(slurs.map(({ stem }) => stem))

function edged(friend: string): string {
  const core = plain(friend).replace(/^\*|\*$/g, '')
  const [before, after] = [friend.startsWith('*'), friend.endsWith('*')]
  return `${before ? '' : '(?<![\\p{L}\\p{N}])'}(?:${core})${after ? '' : '(?![\\p{L}\\p{N}])'}`
}

const falseFriends = new RegExp(
  slurs.flatMap(({ friends }) => (friends ?? []).map(edged)).join('|'),
  'giu',
)
