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
  u: '*цɥㄩ',
  v: 'ᴠ',
  w: 'ωшщɯʍ山',
  x: '乂',
  y: '*ʎγㄚ',
  z: '2ᴢ乙',
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
  ...(isLatin ? emoji(letter) : []),
]
