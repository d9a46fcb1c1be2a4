import { glueWords } from './slur-scan.ts'

/**
 * The text without surnames and nicknames that are spelled like a slur (D-24), each replaced by a comma.
 * One is a name where it is written as names are, a capital and small letters without any disguise, and stands
 * as names do: alone as the whole text ("Dykes"), after a given name or an initial ("Anna Neger", "R. Coons"),
 * before one and a comma ("Neger, Anna"), or as a nickname in quotes after one (`Enrique "Kike"`). A given
 * name is any word written like one that is not a common word: "Kill All Dykes" holds no name, nor does
 * "alle Neger", although German writes the slur with a capital as well.
 */
export function withoutNames(text: string): string {
  if (!anyName.test(text)) return text
  return text
    .replace(onlySurname, ',')
    .replace(afterGiven, (all, given: string) => (isGiven(given) ? `${given},` : all))
    .replace(beforeGiven, (all, given: string) => (isGiven(given) ? `, ${given}` : all))
    .replace(nickname, (all, given: string) => (isGiven(given) ? `${given},` : all))
}

const surname = '(?:Dykes?|Negers?|Coons?|Beaners?)'
const given = '(\\p{Lu}[\\p{Ll}\\p{M}]{1,24}|\\p{Lu}\\.)'
const starts = '(?<![\\p{L}\\p{N}])'
const ends = '(?![\\p{L}\\p{M}\\p{N}])'

/** Hardly any text gets further. */
const anyName = /Dyke|Neger|Coon|Beaner|Kike/
const onlySurname = new RegExp(`^\\s*${surname}\\s*$`, 'u')
const afterGiven = new RegExp(`${starts}${given} ${surname}${ends}`, 'gu')
const beforeGiven = new RegExp(`${starts}${surname}, ${given}${ends}`, 'gu')
const nickname = new RegExp(
  `${starts}${given} (?:"Kike"|“Kike”|«Kike»|'Kike'|‘Kike’|\\(Kike\\))`,
  'gu',
)

function isGiven(word: string): boolean {
  const small = word.toLowerCase()
  return !glueWords.has(small) && !openers.has(small)
}

/** More words that begin a sentence or a title in front of a slur, English, German and Dutch. */
const openers: ReadonlySet<string> = new Set(
  `are ban be being bloody both bull burn butch crazy dear diesel each fake fat few ghetto goddamn hang
  his her is its jungle kick lesbian lil loud lynch many nasty no only porch punch rape report sand save
  shoot single slut such three two typical was what when where why wild
  alle allen andere arme das dem den der deutsche die diese dieser doofe doofer dreckige dreckiger drecks
  du dumme dummen dummer ein eine einem einen einer euer faule fauler fick fremde gegen gute hallo hässliche
  ihr jeder kein keine keinen liebe mein meine nein noch nur schwarze schwarzen schwarzer scheiss scheiß
  solche tote toter tötet und unser viele wir zwei
  de deze domme een geen het jij lelijke onze stomme vieze vuile weg zwarte`.split(/\s+/),
)
