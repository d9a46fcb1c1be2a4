import { SeededRandom } from '../../scripts/seeded-random.ts'
import { type Disguise, cuts, disguises, strongDisguises, swapped } from './disguises.ts'

/** Numbers from 0 up to 1, the same for the same seed. */
export type Random = () => number

export function randomOf(seed: number): Random {
  const random = new SeededRandom(seed)
  return () => random.next()
}

type RandomDisguise = (word: string, random: Random) => string

const pick = <T>(list: readonly T[], random: Random): T =>
  list[Math.floor(random() * list.length)] as T

/** Puts something between two letters of the word. */
const inside =
  (what: string): RandomDisguise =>
  (word, random) => {
    const letters = Array.from(word)
    const at = 1 + Math.floor(random() * (letters.length - 1))
    return letters.slice(0, at).join('') + what + letters.slice(at).join('')
  }

/** Writes each letter as one of those that stand for it; at least one is written so. */
const mixed =
  (table: Readonly<Record<string, string>>, share = 1): RandomDisguise =>
  (word, random) => {
    const sure = Math.floor(random() * word.length)
    return Array.from(word, (letter, at) => {
      const others = Array.from(table[letter] ?? '')
      return others.length > 0 && (at === sure || random() < share) ? pick(others, random) : letter
    }).join('')
  }

const coptic = {
  a: 'ⲁ',
  b: 'ⲃ',
  c: 'ⲥ',
  d: 'ⲇ',
  e: 'ⲉ',
  f: 'ϥ',
  g: 'ⳓ',
  h: 'ⲏ',
  i: 'ⲓ',
  j: 'ϳ',
  k: 'ⲕ',
  l: 'ⳑ',
  m: 'ⲙ',
  n: 'ⲛ',
  o: 'ⲟ',
  p: 'ⲣ',
  q: 'ⳁ',
  r: 'ⲅ',
  s: 'ⲋ',
  t: 'ⲧ',
  u: 'ⲩ',
  v: 'ⲩ',
  w: 'ⲱ',
  x: 'ⲭ',
  y: 'ⲩ',
  z: 'ⲍ',
}
const stroke = {
  a: 'ⱥ',
  b: 'ƀ',
  c: 'ȼ',
  d: 'đ',
  e: 'ɇ',
  f: 'ꞙ',
  g: 'ǥ',
  h: 'ħ',
  i: 'ɨ',
  j: 'ɉ',
  k: 'ꝁ',
  l: 'łƚ',
  m: 'ᵯ',
  n: 'ꞥ',
  o: 'øɵ',
  p: 'ᵽ',
  q: 'ꝗ',
  r: 'ɍ',
  s: 'ꞩ',
  t: 'ŧ',
  u: 'ʉ',
  y: 'ɏ',
  z: 'ƶ',
}
const hook = {
  a: 'ᶏ',
  b: 'ɓ',
  c: 'ƈ',
  d: 'ɗɖᶑ',
  e: 'ᶒ',
  f: 'ƒ',
  g: 'ɠ',
  h: 'ɦ',
  i: 'ᶖ',
  k: 'ƙ',
  l: 'ɭ',
  m: 'ɱ',
  n: 'ɲɳƞ',
  o: 'ơ',
  p: 'ƥ',
  q: 'ʠ',
  r: 'ɽ',
  s: 'ʂ',
  t: 'ƭʈ',
  u: 'ᶙ',
  v: 'ʋ',
  w: 'ⱳ',
  y: 'ƴ',
  z: 'ȥ',
}
const leet = { a: '4@', b: '8', e: '3', g: '69', i: '1!', l: '1|', o: '0', s: '5$', t: '7+' }
const anyScript = {
  a: 'аαᎪⲁ',
  b: 'Ьᖯβ',
  c: 'сϲⲥ',
  e: 'еҽ',
  g: 'ցɡ',
  h: 'һհ',
  i: 'іιᎥ',
  j: 'јϳ',
  k: 'κк',
  l: 'ӏ|',
  m: 'м',
  n: 'ոп',
  o: 'оοօ',
  p: 'рρ',
  r: 'гⲅ',
  s: 'ѕꜱ',
  t: 'тτ',
  u: 'υս',
  v: 'νѵ',
  w: 'ԝա',
  x: 'хχ',
  y: 'уγ',
  z: 'ᴢ',
}
const around = [
  'the',
  'my',
  'big',
  'all',
  'team',
  'cup',
  'pack',
  'map',
  'maps',
  'pool',
  'hate',
  'dirty',
  'stupid',
  'world',
]
const ahead = ['the', 'my', 'big', 'all', 'hate', 'dirty', 'stupid', 'world']
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** What `disguises` lacks, most of it with a choice in it. */
const chosen: Readonly<Record<string, RandomDisguise>> = {
  'Coptic letters': mixed(coptic),
  'Coptic capitals': (word, random) => mixed(coptic)(word, random).toUpperCase(),
  'letters with a stroke': mixed(stroke),
  'letters with a hook': mixed(hook),
  'one letter with a stroke': mixed(stroke, 0),
  'one letter with a hook': mixed(hook, 0),
  'split by one space': inside(' '),
  'a line break inside': inside('\n'),
  'a carriage return and a line break inside': inside('\r\n'),
  'glued between words': (word, random) => pick(ahead, random) + word + pick(around, random),
  'glued behind a word': (word, random) => pick(ahead, random) + word,
  'glued in front of a word': (word, random) => word + pick(around, random),
  'glued with capitals': (word, random) =>
    capital(pick(ahead, random)) + capital(word) + capital(pick(around, random)),
  'some letters in leet': mixed(leet, 0.5),
  'letters of any script': mixed(anyScript, 0.6),
  'spelled from its end': (word) =>
    word.length < 6 ? word : Array.from(word).toReversed().join(''),
  'turned by an override': (word) => `\u202e${Array.from(word).toReversed().join('')}\u202c`,
  'turned by marks': (word) => `\u200f${Array.from(word).toReversed().join('\u200f')}\u200f`,
  'turned in Hebrew': (word) =>
    `\u05d0 \u061c${Array.from(word).toReversed().join('\u061c')}\u061c \u05d1`,
  'one zero-width character inside': inside('\u200b'),
  'one bidirectional mark inside': inside('\u200e'),
  'one dot inside': inside('.'),
  'one emoji inside': inside('👍'),
  'one mark inside': inside('\u0335'),
}

const fixed = (table: Readonly<Record<string, Disguise>>): [string, RandomDisguise][] =>
  Object.entries(table)

/** Ways to write a word so that people still read it, by kind. */
export const disguiseKinds: ReadonlyMap<string, RandomDisguise> = new Map([
  ...Object.entries(chosen),
  ...fixed(disguises),
  ...fixed(strongDisguises),
  ...fixed({ 'first letter apart': cuts['a space after the first'] ?? swapped('', '') }),
])

/** The kinds that were missed most often: each is to be found nearly always, by itself. */
export const hardKinds = [
  'Coptic letters',
  'Coptic capitals',
  'letters with a stroke',
  'letters with a hook',
  'one letter with a stroke',
  'one letter with a hook',
  'split by one space',
  'a line break inside',
  'glued between words',
  'glued with capitals',
  'spelled from its end',
  'turned by an override',
  'turned by marks',
] as const

type Disguised = { readonly kind: string; readonly text: string }

/** So many disguised words of each kind, the same for the same seed. */
export function disguised(words: readonly string[], each: number, seed: number): Disguised[] {
  const random = randomOf(seed)
  return [...disguiseKinds].flatMap(([kind, disguise]) =>
    Array.from({ length: each }, () => ({ kind, text: disguise(pick(words, random), random) })),
  )
}
