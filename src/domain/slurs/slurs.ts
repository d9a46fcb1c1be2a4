import { invalidInput } from '../../contract/errors.ts'
import { builtinCodes } from '../../contract/mods.ts'
import type { PoolDraft } from '../../pool/pool.ts'
import alphabets from './alphabets.json' with { type: 'json' }
import { withoutNames } from './names.ts'
import { lookAlike, plain, readings } from './readings.ts'
import { hasStem, marked, skeleton, type StemBank, type StemGroup } from './slur-scan.ts'
import slursByLanguage from './slurs.json' with { type: 'json' }

/** The parts of a pack that people read. */
type Wording = Pick<PoolDraft, 'name' | 'buckets' | 'slots'> & {
  readonly description?: string | null | undefined
}

/** The content rule (spec 2.8, D-24): `bad_request` names the places of slurs, never the word. */
export function refuseSlurs({ name, description, ...pool }: Wording): void {
  refuseSlursIn([
    { place: 'name', text: name },
    { place: 'description', text: description ?? '' },
    ...codeTexts(pool),
  ])
}

/** A text that people read, and where it is, as in `PoolProblem`. */
export type PlacedText = { readonly place: string; readonly text: string }

/** The codes of a pool. */
export const codeTexts = ({ buckets, slots }: Pick<Wording, 'buckets' | 'slots'>): PlacedText[] => [
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
  return readings(withoutNames(text)).some((reading) =>
    hasStem(bank, reading.replace(falseFriends, ',')),
  )
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

/**
 * The ASCII that people write for a letter. `*` is a masked vowel. `q` for g would make slurs of "faq" and
 * the like.
 */
const resembling: Readonly<Record<string, string>> = {
  a: '4@*',
  b: '68',
  e: '3*',
  g: '69',
  i: '1!|*l',
  l: '1|i',
  o: '0*',
  s: '5$z',
  t: '7+',
  u: '*',
  y: '*',
  z: '2',
}
/** What alphabets of other scripts, and of "fancy text", write for a letter. */
const written: Readonly<Record<string, string>> = alphabets.letters
/** The letters that stand for a Latin one in a word of their own script as well. */
const ownScript: Readonly<Record<string, string>> = {
  a: 'λд',
  e: 'зэ',
  n: 'иπ',
  r: 'я',
  u: 'ц',
  w: 'ωшщ',
  y: 'γ',
}

/** Other letters of the same sound. */
const sounds: Readonly<Record<string, string>> = { c: 'kq', i: 'y', k: 'cq' }

/** Blocks of the alphabet drawn as emoji, which no Unicode table takes apart: the code point of their A. */
const emojiAlphabets = [0x1f150, 0x1f170, 0x1f1e6]

const GROUP_BITS = 32
const LONG_STEM = 6
const BRIEF_STEM = 3
const SPELLED_STEM = 5
/** "regen" and "cips" are words. */
const REVERSED_STEM = 5
const REVERSED_WORDS: ReadonlySet<string> = new Set(['regen', 'gongin', 'huggin'])

const bank = stemBank(slurs.map(({ stem }) => stem))

function edged(friend: string): string {
  const core = plain(friend).replace(/^\*|\*$/g, '')
  const [before, after] = [friend.startsWith('*'), friend.endsWith('*')]
  return `${before ? '' : '(?<![\\p{L}\\p{N}])'}(?:${core})${after ? '' : '(?![\\p{L}\\p{N}])'}`
}

const falseFriends = new RegExp(slurs.flatMap(({ friends }) => friends.map(edged)).join('|'), 'giu')

/** @param stems at most 31 letters each; `*` at an end: the word may continue. */
function stemBank(stems: readonly string[]): StemBank {
  const groups: StemGroup[] = []
  const readings = new Map<string, number[]>()
  let free = GROUP_BITS
  for (const pattern of stems.flatMap((stem) => [...patterns(stem), ...backwards(stem)])) {
    const { letters, inner, open } = pattern
    if (free + letters.length > GROUP_BITS) {
      groups.push(emptyGroup())
      free = 0
    }
    const group = groups.at(-1) as StemGroup
    const start = 1 << free
    group.first |= start
    if (inner) group.inner |= start
    for (const symbols of letters) {
      const bit = 1 << free
      for (const where of ['parted', 'long', 'joinable'] as const) {
        if (pattern[where]) group[where] |= bit
      }
      for (const symbol of symbols) {
        const reading = readings.get(symbol) ?? []
        readings.set(symbol, reading)
        reading[groups.length - 1] = (reading[groups.length - 1] ?? 0) | bit
      }
      free += 1
    }
    const last = 1 << (free - 1)
    const all = ((last << 1) - start) | 0
    group.needed.push(open ? all : all & ~last)
    if (open) group.open |= last
    else group.closed |= last | (last >>> 1)
  }
  // A character that an alphabet uses is also what it looks like, and itself.
  for (const symbol of new Set(Object.values(written).join(''))) {
    for (const each of [symbol, symbol.toUpperCase()]) {
      addReading(readings, symbol, lookAlike(each))
      if (marked(each) === each) continue
      addReading(readings, marked(each), marked(symbol))
      addReading(readings, marked(each), symbol)
    }
  }
  const filled = [...readings].map(
    ([symbol, reading]) =>
      [symbol, Int32Array.from(groups, (_, index) => reading[index] ?? 0)] as const,
  )
  return { groups, readings: new Map(filled) }
}

/** What can be the other symbol can be this one, too. */
function addReading(readings: Map<string, number[]>, symbol: string, other: string): void {
  const reading = readings.get(symbol) ?? []
  for (const [index, bits] of (readings.get(other) ?? []).entries()) {
    reading[index] = (reading[index] ?? 0) | (bits ?? 0)
  }
  if (reading.length > 0) readings.set(symbol, reading)
}

function emptyGroup(): StemGroup {
  return { first: 0, inner: 0, open: 0, closed: 0, parted: 0, long: 0, joinable: 0, needed: [] }
}

/** A stem to look for; the flags are those of `StemGroup`. */
type Pattern = Record<'inner' | 'open' | 'parted' | 'long' | 'joinable', boolean> & {
  /** For each letter the symbols that can be it. */
  readonly letters: readonly (readonly string[])[]
}

/**
 * A stem is also looked for without its space, and with the rn that looks like m, the vv like w.
 * When it begins inside a Latin word, no sign may part it: "Honig-Geruch" is two words.
 */
function patterns(stem: string): Pattern[] {
  const isLatin = /^[\0-\x7f]+$/.test(plain(stem))
  const inner = stem.startsWith('*')
  const open = stem.endsWith('*')
  const spaced = skeleton(plain(stem.replaceAll('*', '')))
  const joined = spaced.replaceAll(' ', '')
  const drawn = (core: string): string => core.replaceAll('m', 'rn').replaceAll('w', 'vv')
  return [...new Set([spaced, joined, drawn(spaced), drawn(joined)])].flatMap((core) => {
    const letters = Array.from(core, (letter, at) =>
      [...standIns(letter, isLatin), ...(inner ? [] : spellings(letter, core.length))].filter(
        (symbol) => !isTooVague(symbol, core.length, at),
      ),
    )
    if (!open) letters.push(standIns('s', isLatin))
    const long = core.length >= LONG_STEM
    const begins = !inner || isLatin
    const joinable = begins && core.length > BRIEF_STEM
    const pattern = { letters, inner: !begins, open, parted: true, long, joinable }
    return inner && isLatin
      ? [pattern, { ...pattern, inner: true, parted: false, long: false, joinable: false }]
      : [pattern]
  })
}

/** Other letters of the same sound, in words that are long enough to be told from others. */
function spellings(letter: string, length: number): string[] {
  return length >= SPELLED_STEM ? Array.from(sounds[letter] ?? '') : []
}

/** A stem is also looked for spelled from its end, as a word of its own, where that is no short word. */
function backwards(stem: string): Pattern[] {
  const core = stem.replaceAll(/[* ]/g, '')
  if (!/^[a-z]+$/.test(core) || core.length < REVERSED_STEM) return []
  const reversed = skeleton(Array.from(core).toReversed().join(''))
  if (REVERSED_WORDS.has(reversed)) return []
  const letters = Array.from(`${reversed}s`, (letter) => standIns(letter, true))
  return [{ letters, inner: false, open: false, parted: true, long: false, joinable: false }]
}

/** A vowel is masked inside a word only; two letters and a digit are a label, as in "FA6". */
function isTooVague(symbol: string, length: number, at: number): boolean {
  const isLast = at === length - 1
  if (symbol === '*') return at === 0 || isLast
  return /[0-9]/.test(symbol) && length <= BRIEF_STEM && isLast
}

/**
 * Every symbol of a skeleton that can be this letter of a stem's skeleton, itself included.
 * In a stem of another script only digits and signs count: the skeleton's r may be a Cyrillic г there.
 */
function standIns(letter: string, isLatin: boolean): string[] {
  const ascii = Array.from(resembling[letter] ?? '')
  if (!isLatin) return [letter, lookAlike(letter), ...ascii]
  const fancy = Array.from(written[letter] ?? '', marked)
  return [letter, ...ascii, ...fancy, ...Array.from(ownScript[letter] ?? ''), ...emoji(letter)]
}

function emoji(letter: string): string[] {
  if (!/^[a-z]$/.test(letter)) return []
  return emojiAlphabets.map((first) => String.fromCodePoint(first + letter.charCodeAt(0) - 97))
}
