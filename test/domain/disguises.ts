/** Ways to write a word so that people still read it and a plain search does not find it. */
export type Disguise = (word: string) => string

const parted =
  (separator: string): Disguise =>
  (word) =>
    Array.from(word).join(separator)

export const swapped =
  (from: string, to: string): Disguise =>
  (word) => {
    const [before, after] = [Array.from(from), Array.from(to)]
    return Array.from(word, (letter) => after[before.indexOf(letter)] ?? letter).join('')
  }

/** Writes a to z from another block of Unicode. */
const fromBlock =
  (first: number): Disguise =>
  (word) =>
    word.replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(first + letter.charCodeAt(0) - 97))

const cut =
  (at: number, separator: string): Disguise =>
  (word) => {
    const letters = Array.from(word)
    return letters.slice(0, at).join('') + separator + letters.slice(at).join('')
  }

const each =
  (change: Disguise): Disguise =>
  (word) =>
    Array.from(word, change).join('')

const aToZ = 'abcdefghijklmnopqrstuvwxyz'

/** Disguises that no word gets through. */
export const disguises: Readonly<Record<string, Disguise>> = {
  'upper case': (word) => word.toUpperCase(),
  'mixed case': (word) =>
    Array.from(word, (letter, at) => (at % 2 ? letter.toUpperCase() : letter)).join(''),
  'in a sentence': (word) => `this is a ${word} pack, no?`,
  'with a number': (word) => `69${word}123`,
  'in marks': (word) => `_(${word})"`,
  plural: (word) => `${word}z`,

  dots: parted('.'),
  dashes: parted('-'),
  'long dashes': parted('—'),
  underscores: parted('_'),
  asterisks: parted('*'),
  bars: parted('|'),
  emoji: parted('🔥'),
  spaces: parted(' '),
  'wide spaces': parted('\u3000 '),
  slashes: parted('/'),
  commas: parted(', '),
  'spaced dashes': parted(' - '),
  'a letter a line': parted('\n'),
  'spaced double letters': (word) => Array.from(word, (letter) => letter + letter).join(' '),
  'a dash after two': cut(2, '-'),

  'zero-width space': parted('\u200b'),
  'zero-width joiner': parted('\u200d'),
  'word joiner': parted('\u2060'),
  'grapheme joiner': parted('\u034f'),
  'soft hyphen': parted('\u00ad'),
  'bidirectional marks': parted('\u202e\u202c'),
  'variation selectors': parted('\ufe0f'),
  tags: parted('\u{e0041}'),
  'Hangul filler': parted('\u3164'),
  'struck through': parted('\u0336'),
  'piled marks': each((letter) => `${letter}\u0301\u0328\u0489`),
  accents: swapped('aeiouncgkr', 'áêïöůñçğķř'),

  'l for i in capitals': swapped('i', 'I'),
  'Cyrillic letters': swapped('aeopcyxisjhkt', 'аеорсухіѕјһкт'),
  'Cyrillic capitals': swapped('aehkmopctyxb', 'АЕНКМОРСТУХВ'),
  'letters that look Cyrillic': swapped('nrea', 'ияэд'),
  'Greek letters': swapped('aoinktuyev', 'αοιηκτυγεν'),
  'Greek capitals': swapped('abehikmnoptyz', 'ΑΒΕΗΙΚΜΝΟΡΤΥΖ'),
  'small capitals': swapped(aToZ, 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ'),
  'raised letters': swapped(aToZ, 'ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖqʳˢᵗᵘᵛʷˣʸᶻ'),
  'turned letters': swapped('aegirtcfhky', 'ɐǝƃᴉɹʇɔɟɥʞʎ'),
  'Han and kana that look Latin': swapped(aToZ, '卂乃匚ᗪ乇千Ꮆ卄丨ﾌҜㄥ爪几ㄖ卩Ɋ尺丂ㄒㄩᐯ山乂ㄚ乙'),
  'rn for m, vv for w': (word) => word.replaceAll('m', 'rn').replaceAll('w', 'vv'),
  'full width': fromBlock(0xff41),
  bold: fromBlock(0x1d41a),
  script: fromBlock(0x1d4ea),
  fraktur: fromBlock(0x1d586),
  monospace: fromBlock(0x1d68a),
  circled: fromBlock(0x24d0),
  'in parentheses': fromBlock(0x249c),
  squared: fromBlock(0x1f130),
  'white on black squares': fromBlock(0x1f170),
  'white on black circles': fromBlock(0x1f150),
  'regional indicators': fromBlock(0x1f1e6),

  'one digit': (word) => word.replace(/[aeio]/, swapped('aeio', '4310')),
  'every letter twice': each((letter) => letter + letter),
  'every letter thrice': each((letter) => letter.repeat(3)),
  'a drawn-out vowel': (word) => word.replace(/[aeiouy]/, '$&$&$&$&'),
  'a masked vowel': (word) => word.replace(/(?<=.)[aeiou](?=.)/, '*'),
}

/** Disguises that make some words a number, or another word: those may pass. */
export const strongDisguises: Readonly<Record<string, Disguise>> = {
  'digits for vowels': swapped('aeio', '4310'),
  'digits for letters': swapped('aegiost', '4391057'),
  'other digits': swapped('gb', '68'),
  'signs for letters': swapped('aist', '@!$+'),
  'l for i': swapped('i', 'l'),
}

/** Disguises for long words only: short ones are made of syllables that words are made of. */
export const cuts: Readonly<Record<string, Disguise>> = {
  'a space after the first': cut(1, ' '),
  'a space after two': cut(2, ' '),
  'a space before the last': cut(-1, ' '),
  'the k of ck alone': (word) => word.replace('ck', 'k'),
  'ph for f': (word) => word.replaceAll('f', 'ph'),
}
