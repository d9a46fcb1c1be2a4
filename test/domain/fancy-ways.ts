import { type Random } from './disguise-kinds.ts'

/** A way to write a word so that people still read it; what it leaves as it is counts as well. */
export type Way = (word: string, random: Random) => string

const aToZ = 'abcdefghijklmnopqrstuvwxyz'

const alphabet =
  (row: string): Way =>
  (word) => {
    const letters = Array.from(row)
    return Array.from(word, (letter) => letters[aToZ.indexOf(letter)] ?? letter).join('')
  }

const from = (first: number): string =>
  Array.from(aToZ, (_, at) => String.fromCodePoint(first + at)).join('')

const reversed = (text: string): string => Array.from(text).toReversed().join('')

const laced =
  (lace: string): Way =>
  (word) =>
    Array.from(word).join(lace)

const after =
  (marks: string): Way =>
  (word) =>
    Array.from(word, (letter) => letter + marks).join('')

const around =
  (before: string, behind: string): Way =>
  (word) =>
    Array.from(word, (letter) => before + letter + behind).join('')

const pick = (list: string, random: Random): string => {
  const each = Array.from(list)
  return each[Math.floor(random() * each.length)] ?? ''
}

const above: Readonly<Record<string, string>> = {
  a: '\u0363',
  c: '\u0368',
  d: '\u0369',
  e: '\u0364',
  h: '\u036a',
  i: '\u0365',
  m: '\u036b',
  o: '\u0366',
  r: '\u036c',
  t: '\u036d',
  u: '\u0367',
  v: '\u036e',
  x: '\u036f',
}

/**
 * Ways of the pages that offer "fancy text", of chat rooms and of those who get around filters. The
 * alphabets are as such pages write them, each in one go; some of them the table of the rule does not hold.
 */
export const fancyWays: ReadonlyMap<string, Way> = new Map<string, Way>([
  ['Canadian syllabics', alphabet('ᗩᗷᑕᗪEᖴGᕼIᒍKᒪᗰᑎOᑭᑫᖇᔕTᑌᐯᗯ᙭Yᘔ')],
  ['Canadian syllabics, rounder', alphabet('ᗩᙖᙅᗪᙓᖴᘜᕼIᒍKᒪᙏᑎOᑭᑫᖇᔕTᙀᐯᙎ᙭Yᘔ')],
  ['Canadian syllabics, blocks', alphabet('ᗩᗷᑕᗪᕮᖴGᕼIᒍKᒪᗰᑎOᑭQᖇᔕTᑌᐯᗯ᙭Yᘔ')],
  ['Canadian syllabics, curled', alphabet('ᗣᙘᑤᙃᙓᖴᘜᕼᓿᒍKᒐᙢᙁᓎᕿᕋᖇᔑƮᙀᘎᙎ᙭Yᘔ')],
  ['Thai-like', alphabet('ค๒ς๔єŦﻮђเןкɭ๓ภ๏קợгรՇยשฬאץչ')],
  ['Thai-like, wavy', alphabet('ค๒ς๔єfgђเןкl๓ภ๏קợгรtยשฬאץz')],
  ['Han-like', alphabet('卂乃匚ᗪ乇千Ꮆ卄丨ﾌҜㄥ爪几ㄖ卩Ɋ尺丂ㄒㄩᐯ山乂ㄚ乙')],
  ['Han-like, strict', alphabet('卂乃匚刀乇下Ꮆ卄工丁长乚从𠘨口尸㔿尺丂丅凵リ山乂丫乙')],
  ['Han-like, loose', alphabet('凡乃ㄈ刀モ下厶什ﾉﾌに乚州れロㄗQ尺らイ凵V山メㄚ乙')],
  ['kana-like', alphabet('ﾑ乃cd乇ｷgんﾉﾌズﾚﾼ刀oｱq尺丂ｲu√wﾒﾘ乙')],
  ['currency signs', alphabet('₳฿₵ĐɆ₣₲ⱧłJ₭Ⱡ₥₦Ø₱QⱤ₴₮ɄV₩ӾɎⱫ')],
  ['currency signs, older', alphabet('₳Ƀ€ƉɆ₣₲ĦƗɈԞⱠⲘ₦Ø₱QɌ$₮Ʉ⩔₩Ӿ¥Ƶ')],
  ['Cherokee-like', alphabet('ᎯᏰᏣᎴᏋᎴᎶᏂiᏠᏦlmᏁᏫᎵᏄᖇᎦᎿᏌᏉᏯﾒᎩᏃ')],
  ['Cherokee-like, capitals', alphabet('ᎪbᏟᎠᎬfᎶhᎥjᏦᏞmᏁᎾpqᏒsᏆuᏉᎳxᎽᏃ')],
  ['Ethiopic-like', alphabet('ልጌርዕቿቻፏዘጎጋጕረጠክዐየዒዪነፕሁሀሠሸሃጊ')],
  ['Yi-like', alphabet('ꍏꌃꉓꀸꍟꎇꁅꃅꀤꀭꀘ꒒ꂵꈤꂦꉣꆰꋪꌗ꓄ꀎꃴꅏꊼꌩꁴ')],
  ['Armenian-like', alphabet('ąҍçժҽƒցհìʝҟӀʍղօքզɾʂէմѵա×վՀ')],
  ['Armenian-like, capitals', alphabet('ԹՅՇԺȝԲԳɧɿʝƙʅʍՌԾρφՐՏԵՄעաՃՎՀ')],
  ['Armenian-like, dark', alphabet('ǟɮƈɖɛʄɢɦɨʝӄʟʍռօքզʀֆȶʊʋաӼʏʐ')],
  ['Armenian-like, round', alphabet('ձъƈժեբցհﻨյĸլʍռօրզгՖէսνա×ყշ')],
  ['Tibetan-like', alphabet('ąცƈɖɛʄɠɧıʝƙƖɱŋơ℘զཞʂɬų۷ῳҳყʑ')],
  ['Greek-like', alphabet('αв¢∂єƒgнιנкℓмησρqяѕтυνωχуչ')],
  ['Greek letters by sound', alphabet('αβcδεfghιjκlмηορqrѕτυvωxψz')],
  ['Greek-like, rounder', alphabet('αზƈԃҽϝɠԋιʝƙʅɱɳσρϙɾʂƚυʋɯxყȥ')],
  ['Greek capitals', alphabet('ΛϦㄈÐƐFƓнɪﾌҚŁ௱ЛØþҨ尺らŤЦƔƜχϤẔ')],
  ['Cyrillic', alphabet('авсdеfgніјкlmпорqгsтцvшхуz')],
  ['Cyrillic, faux', alphabet('аъсↁэfБЂіјкlмиорqѓѕтцvшхЎz')],
  ['Cyrillic, faux capitals', alphabet('ДБCDЄFGHIJKLMИФPQЯSTЦVЩЖЧZ')],
  ['Gujarati-like', alphabet('ąც८ძ૯ʄ૭ҺɿʝқℓɱՈ૦ƿҩ२ς੮υ౮ω૪ყζ')],
  ['mixed syllabics', alphabet('ᕱცᕳᗬӬ∮ʛஅɪلɮᄂ♏ȠФקϤԄƧてʊᏉʬϪץʑ')],
  ['old italic', alphabet('𐌀𐌁𐌂𐌃𐌄𐌅Ᏽ𐋅𐌉Ꮭ𐌊𐌋𐌌𐌍Ꝋ𐌐𐌒𐌓𐌔𐌕𐌵ᕓᏔ𐋄𐌙Ɀ')],
  ['old italic, strict', alphabet('𐌀𐌁𐌂𐌃𐌄𐌅G𐌇𐌉J𐌊𐌋𐌌𐌍𐌏𐌐Q𐌓𐌔𐌕𐌖VW𐌗YZ')],
  ['runes', alphabet('ᚨᛒᚲᛞᛖᚠᚷᚺᛁᛃᚲᛚᛗᚾᛟᛈᛩᚱᛊᛏᚢᚡᚹᛪᚤᛉ')],
  ['runes, English', alphabet('ᚫᛒᚳᛞᛖᚠᚷᚻᛁᛃᚴᛚᛗᚾᚩᛈᛩᚱᛋᛏᚢᚡᚹᛉᚣᛉ')],
  ['Braille', alphabet('⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵')],
  ['strokes', alphabet('Ⱥƀȼđɇfǥħɨɉꝁłmnøᵽꝗɍsŧᵾvwxɏƶ')],
  ['hooks', alphabet('ąƀƈđęƒɠɦįĵƙłɱŋǫpqɾşŧųvωҳƴż')],
  ['palatal hooks', alphabet('aᶀcᶁeᶂᶃhijᶄᶅᶆᶇoᶈqᶉᶊtuᶌwᶍyᶎ')],
  ['small capitals', alphabet('ᴀʙᴄᴅᴇғɢʜɪᴊᴋʟᴍɴᴏᴘǫʀsᴛᴜᴠᴡxʏᴢ')],
  ['raised', alphabet('ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖqʳˢᵗᵘᵛʷˣʸᶻ')],
  ['lowered', alphabet('ₐbcdₑf₉ₕᵢⱼₖₗₘₙₒₚqᵣₛₜᵤᵥwₓyz')],
  ['dots above', alphabet('ȧḃċḋėḟġḣïjklṁnȯṗqrsṫuvwẋẏż')],
  ['dots below', alphabet('ạḅcḍẹfghịjklṃnọpqṛṣṭụṿwxyẓ')],
  ['upside down', (word) => reversed(alphabet('ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍxʎz')(word, Math.random))],
  [
    'upside down, capitals',
    (word) => reversed(alphabet('∀qƆpƎℲ⅁HIſʞ˥WNOԀQᴚS⊥∩ΛMX⅄Z')(word, Math.random)),
  ],
  [
    'upside down, other capitals',
    (word) => reversed(alphabet('∀ᙠƆᗡƎℲ⅁HIſ⋊˥WNOԀΌᴚS┴∩ΛMX⅄Z')(word, Math.random)),
  ],
  ['turned in its place', alphabet('ɐqɔpǝɟƃɥıɾʞןɯuodbɹsʇnʌʍxʎz')],
  ['in a mirror', (word) => reversed(alphabet('ɒdɔbɘꟻǫʜiꞁʞlmᴎoqpɿꙅƚuvwxyz')(word, Math.random))],
  [
    'in a mirror, capitals',
    (word) => reversed(alphabet('AᙠƆᗡƎꟻӘHIႱ⋊⅃MИOꟼỌЯꙄTUVWXYZ')(word, Math.random)),
  ],
  ['spelled from its end', (word) => reversed(word)],
  ['wide', alphabet(from(0xff41))],
  ['circled', alphabet(from(0x24d0))],
  ['circled black', alphabet(from(0x1f150))],
  ['squared', alphabet(from(0x1f130))],
  ['squared black', alphabet(from(0x1f170))],
  ['in parentheses', alphabet(from(0x249c))],
  ['flags', (word) => Array.from(alphabet(from(0x1f1e6))(word, Math.random)).join('\u200c')],
  ['double struck', alphabet(from(0x1d552))],
  ['sans-serif', alphabet(from(0x1d5ba))],
  ['bold italic', alphabet(from(0x1d482))],
  [
    'letters above',
    (word) => word.charAt(0) + Array.from(word.slice(1), (each) => above[each] ?? each).join(''),
  ],
  [
    'other letters above',
    (word, random) =>
      Array.from(word, (each) => each + pick(Object.values(above).join(''), random)).join(''),
  ],
  [
    'piled marks',
    (word, random) =>
      Array.from(
        word,
        (each) =>
          each +
          pick('\u0300\u0316\u0334\u0489\u033e', random) +
          pick('\u0321\u0351\u035c', random),
      ).join(''),
  ],
  ['struck through', after('\u0336')],
  ['slashed', after('\u0338')],
  ['in keycaps', after('\u20e3')],
  ['in brackets', around('[', ']')],
  ['in black brackets', around('【', '】')],
  ['in hearts', laced('♥')],
  ['between waves', around('≋', '')],
  ['an x between', laced('x')],
  ['a z between', laced('z')],
  ['a digit between', laced('1')],
  [
    'any digit between',
    (word, random) =>
      Array.from(word).reduce((all, each) => all + pick('0123456789', random) + each),
  ],
  ['an emoji between', laced('💀')],
  ['invisible between', laced('\u2063')],
  ['tags between', laced('\u{e0061}')],
  ['selectors between', laced('\ufe0e')],
  ['dots between', laced('·')],
  ['y for i', (word) => word.replaceAll('i', 'y')],
  ['k for c', (word) => word.replaceAll('c', 'k')],
  ['c for k', (word) => word.replaceAll('k', 'c')],
  ['q for k', (word) => word.replaceAll('k', 'q')],
  ['q for g, where it is long', (word) => (word.length < 5 ? word : word.replaceAll('g', 'q'))],
  ['ph for f, where it is long', (word) => (word.length < 5 ? word : word.replaceAll('f', 'ph'))],
  ['v for u, where it is long', (word) => (word.length < 5 ? word : word.replaceAll('u', 'v'))],
  ['uu for w', (word) => word.replaceAll('w', 'uu')],
  ['balls and triangles', alphabet('🔺bcdefgh❗jklmn⚽pqrstuvwxyz')],
  ['other balls', alphabet('abcdefgh❶jklmn🔴pqrstuvwxyz')],
  ['leet', alphabet('4bcd3f9h1jklmn0pqr57uvwxyz')],
  [
    'drawn of signs',
    (word) =>
      Array.from(
        word,
        (each) =>
          ({ n: '|\\|', k: '|<', f: '|=', w: '\\/\\/', d: '|)', r: '|2', h: '|-|', m: '|\\/|' })[
            each
          ] ?? each,
      ).join(''),
  ],
  ['twice', (word) => Array.from(word, (each) => each + each).join('')],
  ['a masked vowel', (word) => word.replace(/(?<=.)[aeiou](?=.)/, '*')],
])
