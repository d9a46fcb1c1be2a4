/** A slur to refuse, beside the innocent words that would be taken for it. */
export type Slur = {
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
