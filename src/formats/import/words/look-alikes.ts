// Words of codes in letters of other scripts.

/** Longer words are no labels, and so many letters of one may be two. */
const [LONGEST_ALIKE, MOST_ALIKE] = [24, 6]
/** Letters of other scripts, which a bucket's own code may have, with those of codes that look like them, */
const looks =
  'АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT УY ХX ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX'
/** or sound like them. */
const sounds = 'ВV НN РR СS УU ХH БB ДD ЗZ ЛL ФF ЭE'
const lettersOf = (pairs: string): ReadonlyMap<string, string> =>
  new Map(pairs.split(' ').map((pair) => [pair.charAt(0), pair.charAt(1)]))
const [alikeLetters, soundingLetters] = [lettersOf(looks), lettersOf(sounds)]

/** The words of ASCII that a word may be meant for. Who writes some letters in Latin writes no others by their sound. */
export function alike(written: string): string[] {
  if (written.length > LONGEST_ALIKE) return []
  const word = written.normalize('NFKC')
  const isMixed = /[A-Z]/i.test(word)
  const all = Array.from(word.toUpperCase(), (letter) => {
    const sound = isMixed ? '' : (soundingLetters.get(letter) ?? '')
    return `${alikeLetters.get(letter) ?? ''}${sound}` || letter
  })
  const whole = all.join('')
  if (beyondAscii.test(whole) || whole.length > all.length + MOST_ALIKE) return []
  return all.reduce<string[]>(
    (found, others) => found.flatMap((start) => Array.from(others, (other) => start + other)),
    [''],
  )
}

const beyondAscii = /[^\0-\x7f]/
