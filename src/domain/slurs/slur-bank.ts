import alphabets from './alphabets.json' with { type: 'json' }
import { marked, skeleton, type StemBank, type StemGroup } from './slur-scan.ts'
import { isForeign, lookAlike, MASK, type MaskedWords, plain } from './spelling.ts'

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

/** What is written for a Cyrillic letter, besides letters that look the same: і would make a slur of a Ukrainian prefix. */
const cyrillic = new Map(
  Object.entries({
    а: 'ᴀ',
    г: 'ғґᴦ',
    д: 'ԁd',
    е: 'ᴇ',
    ж: 'җ',
    з: 'ҙ3',
    и: '1ᴎ',
    к: 'қӄҡҟᴋ',
    л: 'ᴫ',
    н: 'ңӈ',
    п: 'ԥҧᴨ',
    р: 'ҏᴘ',
    с: 'ҫᴄ',
    у: 'ұү',
    х: 'ҳӽ',
    ч: '4ҷҹ',
  }).map(([letter, forms]) => [skeleton(letter), forms] as const),
)

/** Other letters of the same sound, or that have been the same letter. */
const sounds: Readonly<Record<string, string>> = {
  c: 'kq',
  g: 'q',
  i: 'y',
  k: 'cq',
  u: 'v',
}

/** Blocks of the alphabet drawn as emoji, which no Unicode table takes apart: the code point of their A. */
const emojiAlphabets = [0x1f150, 0x1f170, 0x1f1e6]

const GROUP_BITS = 32
const LONG_STEM = 6
const BRIEF_STEM = 3
const SPELLED_STEM = 5
const REVERSED_STEM = 4
/** What is a word from its end, too. */
const REVERSED_WORDS: ReadonlySet<string> = new Set(
  ['regen', 'gongin', 'huggin', 'cips', 'cyps', 'qips', 'koog', 'ikap', 'пацак'].map(skeleton),
)

/** @param stems at most 31 letters each; `*` at an end: the word may continue. */
export function stemBank(stems: readonly string[]): StemBank {
  const groups: StemGroup[] = []
  const symbolsOf = memoSymbols()
  /** The bits in each group of all letters that the same symbols can be. */
  const bitsOf = new Map<readonly string[], number[]>()
  let free = GROUP_BITS
  for (const pattern of stems.flatMap((stem) => [
    ...patterns(stem, symbolsOf),
    ...backwards(stem, symbolsOf),
  ])) {
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
      const bits = bitsOf.get(symbols) ?? []
      bits[groups.length - 1] = (bits[groups.length - 1] ?? 0) | bit
      bitsOf.set(symbols, bits)
      free += 1
    }
    const last = 1 << (free - 1)
    const all = ((last << 1) - start) | 0
    group.needed.push(open ? all : all & ~last)
    if (open) group.open |= last
    else group.closed |= last | (last >>> 1)
  }
  const readings = new Map<string, Int32Array>()
  for (const [symbols, bits] of bitsOf) {
    const filled = Int32Array.from(groups, (_, at) => bits[at] ?? 0)
    for (const symbol of symbols) addBits(readings, symbol, filled)
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
  return { groups, readings }
}

/** What can be the other symbol can be this one, too. */
function addReading(readings: Map<string, Int32Array>, symbol: string, other: string): void {
  const bits = readings.get(other)
  if (bits !== undefined) addBits(readings, symbol, bits)
}

function addBits(readings: Map<string, Int32Array>, symbol: string, bits: Int32Array): void {
  const known = readings.get(symbol)
  if (known === undefined) readings.set(symbol, bits.slice())
  else for (let at = 0; at < bits.length; at += 1) known[at]! |= bits[at]!
}

function emptyGroup(): StemGroup {
  return { first: 0, inner: 0, open: 0, closed: 0, parted: 0, long: 0, joinable: 0, needed: [] }
}

/** A stem to look for; the flags are those of `StemGroup`. */
type Pattern = Record<'inner' | 'open' | 'parted' | 'long' | 'joinable', boolean> & {
  /** For each letter the symbols that can be it. */
  readonly letters: readonly (readonly string[])[]
}

/** Where a letter of a stem is, as far as that decides which symbols can be it. */
type LetterPlace = {
  readonly isLatin: boolean
  /** In words that are long enough to be told from others, other letters of the same sound can be it. */
  readonly isSpelled?: boolean
  readonly isEdge?: boolean
  /** It ends a brief word: two letters and a digit are a label, as in "FA6". */
  readonly endsBrief?: boolean
}

type SymbolsOf = (letter: string, place: LetterPlace) => readonly string[]

/** Makes the list of a letter and a place once: stems have ten thousand letters, and few different ones. */
function memoSymbols(): SymbolsOf {
  const known = new Map<string, readonly string[]>()
  return (letter, place) => {
    const { isLatin, isSpelled = false, isEdge = false, endsBrief = false } = place
    const key = [letter, isLatin, isSpelled, isEdge, endsBrief].join(' ')
    const symbols =
      known.get(key) ??
      [...standIns(letter, isLatin), ...(isSpelled ? Array.from(sounds[letter] ?? '') : [])].filter(
        (symbol) =>
          // A vowel is masked inside a word only.
          !(symbol === '*' && isEdge) && !(endsBrief && /[0-9]/.test(symbol)),
      )
    known.set(key, symbols)
    return symbols
  }
}

/**
 * A stem is also looked for without its space, with the rn that looks like m, the vv or uu like w, and a long
 * one with the k of ck alone and with ph for f.
 * When it begins inside a Latin word, no sign may part it: "Honig-Geruch" is two words.
 */
function patterns(stem: string, symbolsOf: SymbolsOf): Pattern[] {
  const isLatin = /^[\0-\x7f]+$/.test(plain(stem))
  const inner = stem.startsWith('*')
  const open = stem.endsWith('*')
  const spaced = skeleton(plain(stem.replaceAll('*', '')))
  const joined = spaced.replaceAll(' ', '')
  const drawn = (core: string): string => core.replaceAll('m', 'rn').replaceAll('w', 'vv')
  const forms = [spaced, joined, drawn(spaced), drawn(joined), joined.replaceAll('w', 'uu')]
  if (joined.length >= LONG_STEM) forms.push(joined.replace('ck', 'k'))
  if (joined.length >= SPELLED_STEM) forms.push(joined.replaceAll('f', 'ph'))
  return [...new Set(forms)].flatMap((core) => {
    const letters = Array.from(core, (letter, at) => {
      const isLast = at === core.length - 1
      return symbolsOf(letter, {
        isLatin,
        isSpelled: !inner && core.length >= SPELLED_STEM,
        isEdge: at === 0 || isLast,
        endsBrief: isLast && core.length <= BRIEF_STEM,
      })
    })
    if (!open) letters.push(symbolsOf('s', { isLatin }))
    const long = core.length >= LONG_STEM
    const begins = !inner || isLatin
    const joinable = begins && core.length > BRIEF_STEM
    const pattern = { letters, inner: !begins, open, parted: true, long, joinable }
    return inner && isLatin
      ? [pattern, { ...pattern, inner: true, parted: false, long: false, joinable: false }]
      : [pattern]
  })
}

/** A stem is also looked for spelled from its end, as a word of its own, where that is no short word. */
function backwards(stem: string, symbolsOf: SymbolsOf): Pattern[] {
  const core = stem.replaceAll(/[* ]/g, '')
  if (!/^(?:[a-z]+|[а-я]+)$/.test(core) || core.length < REVERSED_STEM) return []
  const reversed = skeleton(Array.from(core).toReversed().join(''))
  if (REVERSED_WORDS.has(reversed)) return []
  const isLatin = !isForeign(core)
  const letters = Array.from(`${reversed}s`, (letter) =>
    symbolsOf(letter, { isLatin, isEdge: true }),
  )
  return [{ letters, inner: false, open: false, parted: true, long: false, joinable: false }]
}

/**
 * Every symbol of a skeleton that can be this letter of a stem's skeleton, itself included.
 * In a stem of another script only digits and signs count: the skeleton's r may be a Cyrillic г there.
 */
function standIns(letter: string, isLatin: boolean): string[] {
  const ascii = Array.from(resembling[letter] ?? '')
  if (!isLatin) {
    const forms = Array.from(cyrillic.get(letter) ?? '')
    return [letter, lookAlike(letter), ...ascii, ...forms]
  }
  const fancy = Array.from(written[letter] ?? '', marked)
  return [letter, ...ascii, ...fancy, ...Array.from(ownScript[letter] ?? ''), ...emoji(letter)]
}

function emoji(letter: string): string[] {
  if (!/^[a-z]$/.test(letter)) return []
  return emojiAlphabets.map((first) => String.fromCodePoint(first + letter.charCodeAt(0) - 97))
}

const SIGN_WORD = 5
const STAR_WORD = 6
/** So many letters are left at least where all vowels are masked. */
const SIGN_LEFT = 4
const STAR_LEFT = 3
const vowels = /[aeiouаеёиоуыэюя]/g
const onlyLetters = /^\p{L}+$/u

/** The ways to mask these words. */
export function maskedWords(words: readonly string[]): MaskedWords {
  const found = { star: new Set<string>(), sign: new Set<string>() }
  for (const word of words) {
    if (!onlyLetters.test(word) || word.length < SIGN_WORD) continue
    const bare = word.replace(vowels, MASK)
    const left = bare.replaceAll(MASK, '').length
    if (left >= STAR_LEFT) found.star.add(bare)
    if (left >= SIGN_LEFT) found.sign.add(bare)
    for (let at = 1; at < word.length - 1; at += 1) {
      const masked = word.slice(0, at) + MASK + word.slice(at + 1)
      if (bare.charAt(at) === MASK) {
        found.star.add(masked)
        found.sign.add(masked)
      }
      if (word.length < STAR_WORD) continue
      found.star.add(masked)
      if (at < word.length - 2) {
        found.star.add(word.slice(0, at) + MASK + MASK + word.slice(at + 2))
      }
    }
  }
  return found
}
