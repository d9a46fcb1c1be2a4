/** Words right after a label that make a sentence of the line: `HD1 had 1500000 plays`. Titles begin with capitals. */
const sentence =
  /^(?:is|are|was|were|will|would|has|have|had|gets?|got|needs?|wins?|won|lost|loses|costs?|scored)$/
/** What players and teams do, anywhere in a line. */
const deed = /^(?:wins|won|loses|lost|beats|scored|defeats|defeated)$/

/** Whether the words after a label tell something of it, so that a number among them is no beatmap. */
export function tellsSomething(words: readonly string[]): boolean {
  return sentence.test(words[0] ?? '') || words.some((word) => deed.test(word))
}

/** What is counted or paid: a number in front of it is no id. */
const counted =
  /^(?:plays?|views?|viewers?|points?|pts|people|players?|combo|bpm|stars?|sr|score|avg|average|usd|eur|idr|jpy|krw|php|rub|dollars?|euros?|ms|mb|kb|bytes?|notes?|circles?|sec|seconds?|s)$/i
/** The number after it is that of a set, a person, a match, or a sum. */
const otherName =
  /^(?:set|setid|mapset|beatmapset|beatmapsetid|sid|fee|bonus|prize|price|cost|reward|score|points|combo|seed|rank|user|uid|userid|room|lobby|match|topic)$/i

/** Whether the number at a place among words is one of something else than a beatmap. */
export function isOtherNumber(words: readonly string[], at: number): boolean {
  const name = /^(?:id|is|was)$/i
  const before = words.slice(Math.max(at - 3, 0), at).findLast((word) => !name.test(word))
  const isOfOther = otherName.test(before ?? '')
  return isOfOther || counted.test(words[at + 1] ?? '')
}

/** `219s`, `178BPM`, `5.33*`, `AR9.3` */
const statistic =
  /^(?:[0-9]{1,4}(?:[.:][0-9]{1,2})?(?:s|m|min|bpm|[*★x]|sr)?|(?:cs|ar|od|hp|sr|bpm)[0-9.]{0,5}|[*★])$/i
const LONGEST_NAME = 5
/** Scores have as many digits as ids. */
const [LEAST_SCORE, LARGEST_SCORE] = [400_000, 1_300_000]

/** Whether what follows an id are figures of its beatmap, or who made it: `178BPM 5.33*`, `by Kestrel`. */
export function isOfBeatmap(words: readonly string[], id: number): boolean {
  const isFigure = (word: string, at: number): boolean =>
    statistic.test(word) || counted.test(word) || isOtherNumber(words, at)
  if (words.length > 0 && words.every(isFigure)) return true
  const isScore = id >= LEAST_SCORE && id <= LARGEST_SCORE
  return !isScore && words[0] === 'by' && words.length > 1 && words.length <= LONGEST_NAME
}

/** Addresses, and who or what a chat mentions. */
export const noWords = /https?:\/\/\S+|<(?:[#@][!&]?|a?:\w{1,40}:)[0-9]{5,25}>/gi
