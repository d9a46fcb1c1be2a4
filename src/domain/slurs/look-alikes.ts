import { skeleton } from './skeleton.ts'

/** Blocks of the alphabet drawn as emoji, which no Unicode table takes apart: the code point of their A. */
const emojiAlphabets = [0x1f150, 0x1f170, 0x1f1e6]

/**
 * What people write for a letter, beside what NFKD and Unicode's table of confusables (TR39) already
 * turn into it: digits, signs, small capitals, turned letters, and those of other scripts that only
 * resemble it. `*` is a masked vowel. `q` for g and `y` for i are left out, for they would make
 * slurs of "faq" and the like.
 */
const others: Readonly<Record<string, string>> = {
  a: '4@*ᴀɐʌλд₳卂丹',
  b: '68ʙß฿乃',
  c: '©ɔꮯ匚',
  d: 'ᴅð∂',
  e: '3*ᴇꞓɜǝɘəзэ£乇',
  f: 'ꜰɟ千',
  g: '69ƃɢ₲ꮆ',
  h: 'ʜɥ卄',
  i: '1!|*l¡ᴉ丨工',
  j: 'ᴊフ',
  k: 'ĸᴋʞҝ',
  l: '1!|iʟ丨ㄥ',
  m: 'ʍɯ爪',
  n: 'ɴᴎиπŋ₦几',
  o: '0*ㄖ',
  p: 'ᴘþ卩',
  q: 'ꞯɋ',
  r: 'ʀᴙяɹɾ®尺',
  s: '5$z§丂',
  t: '7+ᴛʇ†ㄒ',
  u: '*цɥʋㄩ',
  v: 'ᴠ',
  w: 'ωшщɯʍ山',
  x: '乂',
  y: '*ʎγㄚ',
  z: '2ᴢ乙',
}

/**
 * Letters with a stroke, a hook, a tail or another addition that Unicode does not take apart, and small
 * capitals: all that it names `LATIN LETTER A WITH …` or `SMALL CAPITAL A`.
 */
const modified: Readonly<Record<string, string>> = {
  a: 'ⱥᴀᶏ',
  b: 'ƀɓƃʙᴃᵬᶀꞗ',
  c: 'ƈȼɕᴄꞓꞔ𝼝',
  d: 'đɗƌȡɖᴅᵭᶁᶑꝺꟈ𝼥',
  e: 'ɇᴇᶒⱸꬳꬴ',
  f: 'ƒᵮᶂꜰꝼꞙ',
  g: 'ɠǥɡɢʛᵹᶃꞡꬶ',
  h: 'ħɦʜⱨꞕ',
  i: 'ıɨɪᶖ𝼚',
  j: 'ȷɉɟʄʝᴊ',
  k: 'ƙᴋᶄⱪꝁꝃꝅꞣ',
  l: 'ŀłƚȴɫɬɭʟᴌᶅⱡꝉꞎꬷꬸꬹ𝼄𝼑𝼓𝼦',
  m: 'ɱᴍᵯᶆꬺ',
  n: 'ɲƞȵɳɴᵰᶇꞑꞥꬻ𝼧',
  o: 'øɵǿᴏⱺꝋꝍ𝼛',
  p: 'ƥᴘᵱᵽᶈꝑꝓꝕ',
  q: 'ɋʠꝗꝙꞯ',
  r: 'ɍɼɽɾʀᵲᵳᶉꞃꞧꭅꭆꭉꭋꭌ𝼖𝼨',
  s: 'ȿʂᵴᶊẜẝꜱꞅꞩꟊꟍ𝼞𝼩',
  t: 'ŧƫƭʈȶⱦᴛᵵꞇ𝼉𝼪',
  u: 'ᴜᶙꞹꭎꭒʉᵾ',
  v: 'ʋᴠᶌⱱⱴꝟ',
  w: 'ᴡⱳ',
  x: 'ᶍꭖꭗꭘꭙ',
  y: 'ƴɏʏỿ',
  z: 'ƶȥɀʐʑᴢᵶᶎⱬ',
}

/** Coptic letters, by what they look like and by what they stand for. */
const coptic: Readonly<Record<string, string>> = {
  a: 'ⲁ',
  b: 'ⲃ',
  c: 'ⲥⲋ',
  d: 'ⲇ',
  e: 'ⲉⲋ',
  f: 'ϥ',
  g: 'ⳓϭⲅ',
  h: 'ⲏϩ',
  i: 'ⲓⳇ',
  j: 'ϳⳗ',
  k: 'ⲕ',
  l: 'ⳑⲗ',
  m: 'ⲙ',
  n: 'ⲛⲏ',
  o: 'ⲟⲑ',
  p: 'ⲣ',
  q: 'ⳁ',
  r: 'ⲅ',
  s: 'ⲋⲥ',
  t: 'ⲧϯ',
  u: 'ⲩ',
  v: 'ⲩ',
  w: 'ⲱϣ',
  x: 'ⲭ',
  y: 'ⲩ',
  z: 'ⲍ',
}

/** As they are, and as a skeleton shows them; what it shows as an ASCII letter is that letter. */
const added = (letter: string): string[] => {
  const symbols = Array.from((modified[letter] ?? '') + (coptic[letter] ?? ''))
  const shown = symbols.flatMap((symbol) => [symbol, symbol.toUpperCase()]).map(skeleton)
  return [...symbols, ...shown].filter((symbol) => /^[^\0-\x7f]$/u.test(symbol))
}

const emoji = (letter: string): string[] =>
  /^[a-z]$/.test(letter)
    ? emojiAlphabets.map((first) => String.fromCodePoint(first + letter.charCodeAt(0) - 97))
    : []

/**
 * Every symbol of a skeleton that can stand for this letter of a stem's skeleton, itself included.
 * In a stem of another script only digits and signs count: the skeleton's r may be a Cyrillic г there.
 */
export const standIns = (letter: string, isLatin: boolean): string[] => [
  letter,
  ...Array.from(others[letter] ?? '').filter((symbol) => isLatin || symbol < '\x7f'),
  ...(isLatin ? [...added(letter), ...emoji(letter)] : []),
]
