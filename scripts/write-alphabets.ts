import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { lookAlike, plain } from '../src/domain/slurs/spelling.ts'

// The alphabets in which generators of "fancy text" write Latin letters: 26 characters for a to z each, a dot
// where they leave the letter as it is. What compatibility decomposition gives anyway (mathematical, circled,
// wide, raised letters) needs no row.

const FILE = fileURLToPath(new URL('../src/domain/slurs/alphabets.json', import.meta.url))

const alphabets: Readonly<Record<string, readonly string[]>> = {
  'Canadian syllabics': [
    'ᗩᗷᑕᗪEᖴGᕼIᒍKᒪᗰᑎOᑭᑫᖇᔕTᑌᐯᗯ᙭Yᘔ',
    'ᗩᙖᙅᗪᙓᖴᘜᕼᓰᒚᖽᒪᙏᘉᓍᕵᕴᖇSᖶᑘᐺᘺ᙭ᖻᗱ',
    'ᗅᗸᑢᗫᕮᖷᘐᕼᓵᒎᖾᒺᘻᘙᗝᑮᑬᖆᔖᖶᙀᐻᙎ᙮ᖿᙆ',
    'ᗋᗾᑦᕲᘿᖵᘏᖺᓮᒏᖼᒫᘼᑏᗣᕶᕳᖈᔆᖷᑚᐱᙡ᙭ᖼᙇ',
    'ᗣᙘᑤᙃᙓᖴᘜᖾᓿᒙᖽᒐᙢᙁᓎᕿᕴᖇᔑƮᘮᘎᙎ᙭ᖻⱿ',
  ],
  Cherokee: [
    'ᎪᏴᏟᎠᎬfᏀᎻᏆᎫᏦᏞᎷᏁᎾᏢᏭᏒᏚᎢᏌᏙᎳXᎩᏃ',
    'ᏗᏰፈᎴᏋᎦᎶᏂᎥᏠᏦᏝᎷᏁᎧᎮᎤᏒᏕᏖᏬᏉᏇጀᎽፚ',
    'ᎯᏸᏣᎴᏒᎿᏩᏲᎨᏧᏥᏓᏍᏅᏫᎵᏄᎡᎦᎿᏬᏤᏯᎲᎩᏋ',
    'ᎪbᏟᎠᎬfᎶhᎥjᏦᏞmᏁᎾpqᏒsᏆuᏉᎳxᎽᏃ',
    'ꭺꮟꮯꭰꭼꭶꮐꮋꭵꭻꮶꮮꮇꮑꮎꮲꮔꮢꮪꭲꮜꮩꮃꮖꭹꮓ',
  ],
  Ethiopic: ['ልጌርዕቿቻኗዘጎጋጕረጠክዐየዒዪነፕሁሀሠሸሃጊ', 'ልፎርዕቿሾፏዘጎጕጸረጠክዐየዒዪነፐሀህሠሸሃጊ'],
  'Thai and Hebrew': [
    'ค๒ς๔єŦﻮђเןкɭ๓ภ๏קợгรՇยשฬאץչ',
    'คษƈ໓ēfງhiวkl๓ຖ໐p๑rŞtนงຟxฯຊ',
    'ค๖¢ɗﻉिﻭɦٱﻝᛕɭ๓กѻρ۹ɼรՇપ۷ฝซץչ',
  ],
  'Han and kana': [
    '卂乃匚ᗪ乇千Ꮆ卄丨ﾌҜㄥ爪几ㄖ卩Ɋ尺丂ㄒㄩᐯ山乂ㄚ乙',
    '卂乃匚刀乇下呂廾工丁长乚从冂口尸㔿尺丂丅凵リ屮乂丫乙',
    '卂乃匚刀乇下Ꮆ卄工丁长乚从𠘨口尸㔿尺丂丅凵リ山乂丫乙',
    'ﾑ乃ᄃり乇ｷムんﾉﾌズﾚﾶ刀のｱゐ尺丂ｲひ√Wﾒﾘ乙',
    'ﾑ乃cd乇ｷgんﾉﾌズﾚﾼ刀oｱq尺丂ｲu√wﾒﾘ乙',
    '丹书亡句ヨ乍ムれエノ水し冊几回卩Q尺ちテ凵ソ山メと乙',
    '月石仁亅ㅌ孑己ん讠亅片心册ㅂ囗ア甲民弓十U丷凼父ㄚ乏',
    'ﾑろζÐ巳ｷǤㅐ工亅水レᄊᄁ㠯や아只ㄎｲ凹ᐯ闩Ж乂之',
    '凡乃ㄈ刀モ下厶什ﾉﾌに乚州れロㄗQ尺らイ凵レ山メㄚ乙',
  ],
  Yi: [
    'ꍏꌃꉓꀸꍟꎇꁅꃅꀤꀭꀘ꒒ꂵꈤꂦꉣꆰꋪꌗ꓄ꀎꃴꅏꊼꌩꁴ',
    'ꋫꃃꏸꁕꍟꄘꁍꑛꂑꀭꀗ꒒ꁒꁹꆂꉣꁸ꒓ꌚ꓅ꐇꏝꅐꇓꐟꁴ',
    'ꁲꋰꀯꂠꈼꄞꁅꍩꂑ꒼ꀗ꒒ꂵꋊꂦꉣꁷꌅꌚꋖꐇꀰꅏꇒꐞꁴ',
    'ꋬꍗꏳꂟꏂꄟꍌꃬ꒐꒻ꀘ꒒ꂵꂚꉻꉣꋠꋪꑄ꓄ꀎ꒦ꅐꉼꐞꑓ',
    'ꀀꌄꉔꀷꀽꊯꁇꃄꀥꆽꀚꇙꂶꈠꀧꉤꆹꋫꌖꋨꀏꃵꅑꊽꌦꁵ',
  ],
  'Canadian, Lisu and Georgian capitals': [
    'ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑႳꓣꓢꓔꓴꓦꓪꓫꓬꓜ',
    'ႠႦႺႧႤႼႺႬႨႱႩႱႭႶႭႴႷႰႽႵႮႳႸႯႸႭ',
    'მჩეძპfცhἶქκlოῆõρგΓჰནυὗwჯყɀ',
  ],
  currency: [
    '₳฿₵ĐɆ₣₲ⱧłJ₭Ⱡ₥₦Ø₱QⱤ₴₮ɄV₩ӾɎⱫ',
    '₳₿₡₫€₣₲₶₹ʝ₭£₼₪¤₽¶₨$₸ÜV₩Ж¥Ƶ',
    '₳Ƀ¢ƉɆ₣₲ĦƗɈԞ₤ⲘИØ₧QɌ§₺Ʉ⩔₩×₯Ⱬ',
    '₳Ƀ€ƉɆ₣₲ĦƗɈԞⱠⲘ₦Ø₱QɌ$₮Ʉ⩔₩Ӿ¥Ƶ',
    'ª₿©₫₠ƒ₲ħ¡ʝ₭Łм₪¤₽ϙ₹₷₮µ√ѡ×Ұ₴',
  ],
  'Greek and mathematical': [
    'αв¢∂єƒgнιנкℓмησρqяѕтυνωχуչ',
    'αβςδεφγηιϳκλμπθρφΓσƬυνωχψζ',
    'ΛBᄃDΣFGΉIJKᄂMПӨPQЯƧƬЦVЩXYZ',
    'ΔƁ∁ⅅ∃∱⅁ℍ∐⌡⋉∟ℳ∏⊙℗ℚℜ∫⊤⋃∨Ш⨉⅄ℤ',
    'αზƈԃҽϝɠԋιʝƙʅɱɳσρϙɾʂƚυʋɯxყȥ',
    'ΛϦㄈÐƐFƓнɪﾌҚŁ௱ЛØþҨ尺らŤЦƔƜχϤẔ',
  ],
  Cyrillic: [
    'аъсdэfЂніјклмиорqгѕтцѵшхуз',
    'дБҀↁЄFБНІЈЌLМИФРQЯЅГЦVЩЖЧZ',
    'ӑвҫԁёғԍһїյқԼӎӣөрԛґҙҭџѷѡҳўӡ',
    'ѦБСДЕӺҔҤЇЉЌԈԠЍѲҎФѓДҬЏѴѾӼҮҘ',
  ],
  'Armenian and others': [
    'ąҍçժҽƒցհìʝҟӀʍղօքզɾʂէմѵա×վՀ',
    'ᕱცᕳᗬӬ∮ʛஅɪلɮᄂ♏ȠФקϤԄƧてʊᏉʬϪץʑ',
    'ԹՅՇԺȝԲԳɧɿʝƙʅʍՌԾρφՐՏԵՄעաՃՎՀ',
    'ǟɮƈɖɛʄɢɦɨʝӄʟʍռօքզʀֆȶʊʋաӼʏʐ',
    'ąცƈɖɛʄɠɧıʝƙƖɱŋơ℘զཞʂɬų۷ῳҳყʑ',
    'ɑճϲժeƒɡհɩյƙӏmոօթգгѕես۷ɯϰγʐ',
    'คც८ძ૯Բ૭ҺɿʆқՆɱՈ૦ƿҩՐς੮υ౮ω૪ყઽ',
    'ąც८ძ૯ʄ૭ҺɿڽқℓɱՈરƿҩ२ﻯ੮υ౮ω૪ყζ',
    'ᥲᑲᥴძᥱfgһіȷκᥣmᥒoρqrs𝗍ᥙ᥎ᥕ᥊ᥡz',
    'aճ੮ძဇ၆ցႹ၊ၛκւოლ໐բգրຣեບงຜxყຂ',
    'ձъƈժեբցիﻨյկլոռօրզԻՖէևվა×ყշ',
  ],
  Coptic: ['ⲁⲃⲥⲇⲉϥⳓⲏⲓϳⲕⳑⲙⲛⲟⲣⳁⲅⲋⲧⲩⲩⲱⲭⲩⲍ', 'ⲁⳝϲⲇⲉϝⳋϩⲓϳⲕⲗⲙⲏⲑⲣϙⲅⳅϯⲩⲩϣⲭⲩⲍ'],
  Gothic: ['𐌰𐌱𐍃𐌳𐌴𐍆𐌲𐌷𐌹𐌾𐌺𐌻𐌼𐌽𐍉𐍀𐌵𐍂𐍃𐍄𐌿𐍅𐍅𐍇𐍅𐌶'],
  'Old Italic and Phoenician': [
    '𐌀𐌁𐌂𐌃𐌄𐌅Ᏽ𐋅𐌉Ꮭ𐌊𐌋𐌌𐌍𐌏𐌐𐌒𐌓𐌔𐌕𐌵ᕓᏔ𐋄𐌙Ɀ',
    '𐌀𐌁𐌂𐌃𐌄𐌅𐌂𐌇𐌉𐌉𐌊𐌋𐌌𐌍𐌏𐌐𐌒𐌓𐌔𐌕𐌖𐌖𐌖𐌗𐌖𐌆',
    '𐌀𐌁𐌂𐌃𐌄𐌚𐌲𐌇𐌉𐌉𐌊𐌋𐌌𐌍𐌈𐌛𐌒𐌛𐌔𐌕𐌞𐌖𐌖𐌗𐌖𐌆',
    '𐤀𐤁𐤂𐤃𐤄𐤅𐤂𐤇𐤉𐤉𐤊𐤋𐤌𐤍𐤏𐤐𐤒𐤓𐤔𐤕𐤅𐤅𐤅𐤎𐤅𐤆',
  ],
  runes: [
    'ᚨᛒᚲᛞᛖᚠᚷᚺᛁᛃᚲᛚᛗᚾᛟᛈᛩᚱᛊᛏᚢᚡᚹᛪᚤᛉ',
    'ᚫᛒᚳᛞᛖᚠᚷᚻᛁᛃᚴᛚᛗᚾᚩᛈᛩᚱᛋᛏᚢᚡᚹᛉᚣᛇ',
    'ᚪᛔᛍᚦᛂᚨᚵᚼᛇᛄᛕᛛᛘᚿᚮᛕᛢᚱᛌᛐᚥᚢᚥᚷᛦᛎ',
    'ᗩᛔᛈᗪᛊᚩᘜᚺᛨᛇᛕᛚᛖᚢ◊ᚹᛜᖇᛢᛠᛦᚡᛗᛝᚤᛋ',
  ],
  Ogham: ['ᚐᚁᚉᚇᚓᚃᚌᚆᚔᚗᚖᚂᚋᚅᚑᚚᚊᚏᚄᚈᚒᚃᚃᚎᚔᚎ'],
  Tifinagh: ['ⴰⴱⵛⴷⴻⴼⴳⵀⵉⵊⴽⵍⵎⵏⵓⵒⵇⵔⵙⵜⵓⵖⵡⵅⵢⵣ', 'ⴷⴱⵎⴹⵟⴼⴳⵂⵊⵑⴿⵇⵎⵏⵔⵃⵕⵁⵚⵜⵡⵠⵡⵝⵖⵤ'],
  Braille: ['⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵'],
  'modified Latin': [
    'ⱥƀȼđɇꞙǥħɨɉꝁłᵯꞥøᵽꝗɍꞩŧʉꝟ.×ɏƶ',
    'ᶏɓƈɗᶒƒɠɦᶖʝƙɭɱɲơƥʠɽʂƭᶙʋⱳ.ƴȥ',
    'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ',
    'ᴀᴃꞓȡᴇꝼᵹⱨıɟĸᴌʍŋɵþɋʁẜƫʊʌʬᶍʎʑ',
    'ɑᵬꞔᶑɘᵮᶃɧᶅʄᶄƚᶆɳⱷᵱ.ɼᶊƫᶙᶌ.ᶍỿᵶ',
    'ɐᶀɕᵭɛᶂʛꜧɩȷⱪȴɯƞⱺꝑ.ᵲȿʈᵾⱴɰꭖȳᶎ',
    'ӕßɔðǝʃɡɥᴉſʞꞁɰɴɞꝓ.ɹƽʇꭎⱱѡꭗɏⱬ',
    'ɒƃɕǷəꞘɣⱵǀʆкꞎꬺƝ°ꝕɊɺʃτꭒꝞ₩✖ŷɀ',
    'ʌ.ↄƋɜꟻꞡʱꙇɭꝃʅꟽи☉ꟼ.ꞧꙅƾᴝᶹ.꭛ỾⱫ',
    'двƇꝺʒϝꞬӇɿⱼқӀꬰπ●ᕈ.яƨϮц˅щϗɣ乙',
    'ѧбƆᗞз∮ᏳһɺⳇҞĿᗰηʘᑶ.ՐՏҬυ√ѿжўʓ',
    '.ᶀ.ᶁ.ᶂᶃ...ᶄᶅᶆᶇᶗᶈ.ᶉᶊ.ᶙᶌ.ᶍ.ᶎ',
    '...ꝺ.ꝼᵹ...ĸ..ꞃ...ꞅ.ꞇ......',
  ],
  'single letters': [
    '.ьϾɔ.£ϑ৸.ʖҡ.ϻה....⳽Ɨɥ.Ψ.Џ.',
    '.ƅट...❡♄..ҟ.ຕ♫ꝍ....Γ☋.ꭐ.ʮ.',
    '.þ............ɔ....☨....ʯ.',
    '.♭.................ꔋ....φ.',
    '........................ᶙ.',
    '........................ע.',
  ],
  signs: [
    '∆.©..ſ..ℹ...♏∩◯¶.®§†∪√.✖¥.',
    '▲.☾◗∑.....♓.♍Π⭕℗.®💲✝⊔∨.❌..',
    '△.⊂▷∈.....⋈∟.∏⊕..Ґ∮┼⋓▽.☓.≥',
    '🔺...📧.➒.❗.....⚽...➎➐⛎.....',
    '🔼...❸.❾.❕.....🔴...❺❼......',
    '❹...➌.❻.❶.....🟠...⓹⓻......',
    '➍...⓷.➏.➊.....🟡...........',
    '⓸.....⓽.⓵.....🟢...........',
    '..............🔵...........',
    '..............🟣...........',
    '..............⚫...........',
    '..............⚪...........',
    '..............🏀...........',
    '..............🏐...........',
    '..............🌕...........',
    '..............🌑...........',
    '..............⓿...........',
  ],
  turned: [
    'ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍxʎz',
    '∀ᗺƆᗡƎℲ⅁HIſꓘ˥WNOԀỌᴚS⊥∩ΛMX⅄Z',
    'ɐqɔpəɟɓɥıſʞןɯuodbɹsʇnʌʍxʎz',
    'ɐqɔpǝⅎᵷɥᴉɾʞʅɯuodbɹsʇnʌʍxʎz',
    'ⱯꓭꓛꓷꓱꓞꓨHIꓩꓘꓶWNOꓒꝹꓤSꓕꓵꓥMX⅄Z',
    'ᗄᗺϽᗡᴲᖵ⅁HIᒋꞰ⅂ꟽNOᑯᏊꓤSꞱᑎᐱϺXʎZ',
    'ᵄqɔpᴈɟ⅁ɥᵎɾʞ⅃ᵚuodbᴚsꞱnᴧʍxʎz',
    '∀ᙠƆᗡƎℲ⅁HIſ⋊˥WNOԀΌᴚS⊥∩ΛMX⅄Z',
    '∀𐐒ƆpƎℲפHIſʞ˥WNOԀQᴚS┴∩ΛMX⅄Z',
  ],
  mirrored: [
    'ɒdɔbɘʇǫʜiꞁʞ|mᴎoqpɿꙅƚuvwxyz',
    'AᗺƆᗡƎꟻᎮHIႱ⋊⅃MИOꟼỌЯƧTUVWXYZ',
    'ɒdɔbɘꟻgʜiįʞlmnoqpᴙꙅƚuvwxyz',
    'AꓭƆᗡƎꟻꓨHIႱʞꓶMИOꟼϘЯꙄTUVWXYZ',
    'AᙠƆᗡƎꟻӘHIႱ⋊⅃MИOꟼỌЯꙄTUVWXYZ',
    'ɒdɔbɘᆿϱʜiꞁʞlmᴎopqɿƨɈυvwxγz',
    'ɒdɔbɘʇϱʜiįʞlmnopqɿƨɈυvwxγz',
  ],
}

/** Letters put above other letters. */
const above: Readonly<Record<string, string>> = {
  a: '\u0363\u1dd3\u1dd4\u1de7\u1df2\u2df6',
  b: '\u1de8\u1de9\u2de0',
  c: '\u0368\u1dd7\u2ded',
  d: '\u0369\u1dd8\u1dd9\u2de3',
  e: '\u0364\u1dea\u2df7',
  f: '\u1deb',
  g: '\u1dda\u1ddb\u1acc\u2de2',
  h: '\u036a',
  i: '\u0365\ua675\ua676',
  k: '\u1ddc\u2de6',
  l: '\u1ddd\u1dde\u1dec\u2de7',
  m: '\u036b\u1ddf\u2de8',
  n: '\u1de0\u1de1\u1acd\u2de9',
  o: '\u0366\u1ded\u1df3\u2dea',
  p: '\u1dee\u2dec',
  r: '\u036c\u1de2\u1de3\u1dca\u1acb',
  s: '\u1de4\u1de5\u1def',
  t: '\u036d\u1ace\u2dee',
  u: '\u0367\u1df0\u1df4\ua677',
  v: '\u036e',
  w: '\u1df1\u1abf',
  x: '\u036f\u2def',
  z: '\u1de6\u2de5',
}

/** Cyrillic letters put above other letters. */
const aboveCyrillic: Readonly<Record<string, string>> = {
  а: '\u2df6',
  б: '\u2de0',
  в: '\u2de1',
  г: '\u2de2',
  д: '\u2de3',
  е: '\u2df7',
  ж: '\u2de4',
  з: '\u2de5',
  и: '\ua675\ua676',
  к: '\u2de6',
  л: '\u2de7',
  м: '\u2de8',
  н: '\u2de9',
  о: '\u2dea',
  п: '\u2deb',
  р: '\u2dec',
  с: '\u2ded',
  т: '\u2dee',
  у: '\ua677',
  х: '\u2def',
  ц: '\u2df0',
  ч: '\u2df1',
}

/** Not one alphabet each. */
const loose: ReadonlySet<string> = new Set(['single letters', 'signs', 'turned', 'mirrored'])

const aToZ = 'abcdefghijklmnopqrstuvwxyz'

/** Pairs of a letter and what an alphabet writes for it. */
function pairs(name: string, alphabet: string): [string, string][] {
  const characters = Array.from(alphabet)
  if (characters.length !== aToZ.length) {
    throw new Error(`${name}: ${alphabet} has ${characters.length} characters`)
  }
  return characters.map((character, at) => [aToZ.charAt(at), character])
}

const isPlainLetter = (character: string): boolean => /^[\0-\x7f]$/.test(character)

/** Letter → the characters that stand for it, as the scan meets them: decomposed and in lower case. */
function letterTable(): Record<string, string> {
  const found = new Map(Array.from(aToZ, (letter) => [letter, new Set<string>()]))
  for (const [name, alphabet] of Object.entries(alphabets)) {
    for (const [letter, character] of alphabet.flatMap((row) => pairs(name, row))) {
      for (const each of [character, character.toLowerCase(), character.toUpperCase()]) {
        const shown = plain(each).toLowerCase()
        if (Array.from(shown).length !== 1 || isPlainLetter(shown)) continue
        if (lookAlike(shown) !== letter) found.get(letter)?.add(shown)
      }
    }
  }
  return join(found)
}

/** Character → the letter that it is when the text stands on its head, or behind a mirror. */
function reversals(name: string): Record<string, string> {
  const found = new Map<string, Set<string>>()
  for (const [letter, character] of (alphabets[name] ?? []).flatMap((row) => pairs(name, row))) {
    if (character === letter || character === letter.toUpperCase()) continue
    const written = found.get(letter) ?? new Set()
    found.set(letter, written.add(character))
  }
  return join(found)
}

const join = (table: ReadonlyMap<string, ReadonlySet<string>>): Record<string, string> =>
  Object.fromEntries([...table].map(([letter, all]) => [letter, [...all].toSorted().join('')]))

export function alphabetsJson(): string {
  const tables = {
    letters: letterTable(),
    above,
    aboveCyrillic,
    whole: Object.entries(alphabets).flatMap(([name, rows]) =>
      loose.has(name) ? [] : [rows.join(' ')],
    ),
    turned: reversals('turned'),
    mirrored: reversals('mirrored'),
  }
  return `${JSON.stringify(tables, null, 2)}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(FILE, alphabetsJson())
  console.log(FILE)
}
