import { type KeyWords, keyWords } from '../../pool/pack-key/key-words.ts'
import { type FormatWords, formatWords } from '../format-words.ts'

// The messages about a text or a file that is read, worded in English; pages have texts of their own. Refusals, questions
// with their choices, notes, and the reasons why something was read as what it is.

/** `bucket` is `none` where the slot is in none. */
type Slot = { slot: string; bucket: string }
type Id = { id: string }
type Ids = { n: number; ids: string }
type Most = { most: string }
type Where = { where: string }
type What = { what: string }

const slotName = ({ slot, bucket }: Slot): string =>
  bucket === 'none' ? `Slot ${slot} without a bucket` : slot
const many = (n: number, one: string, others: string): string => (n === 1 ? one : others)
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Why a line is refused, and what to do. */
const refusals = {
  noBeatmap: 'No beatmap id or link found. Example: “NM1 129891”.',
  otherLink:
    'This link does not lead to a beatmap on the game’s site. Paste the beatmap’s link or id.',
  wholeSet: 'This link leads to a beatmap set. Open the difficulty you want and copy its link.',
  setId: 'This is a beatmap set, not a beatmap. Open the difficulty you want and copy its link.',
  setFile:
    'The number in the name of an .osz file is that of a beatmap set. Open the difficulty you want and copy its link.',
  severalBeatmaps: 'There is more than one beatmap here. Put each on its own line.',
  severalNumbers:
    'It is not clear which number is the beatmap id. Write it like “NM1 129891”, or paste a link.',
  unnamedColumns:
    'It is not clear which number is the beatmap id. Include the header row with a “Beatmap ID” column.',
  tooLarge:
    'This number is too large for a beatmap id. Open the difficulty on the game’s site and copy its link.',
  conflict: 'The id and the link in this row refer to different beatmaps. Correct one of them.',
  unclearSlot:
    'It is not clear which slot this is for. Start the line with the slot, like “NM1 129891”.',
  noSlot: ({ what }: What) => `${what} is not a slot. Write it like NM1 or RC 2.`,
  noIds: 'These numbers are not beatmap ids. Include the header row, or paste links.',
  idBounds: ({ most }: Most) => `The beatmap id must be from 1 to ${most}. Check the id.`,
  sameBeatmap: (slot: Slot) =>
    `${slotName(slot)} already has this beatmap. To add it twice, give this line another slot.`,
  numberBounds: ({ most }: Most) => `The slot number must be from 1 to ${most}.`,
  tooManySlots: ({ most }: Most) =>
    `A pool can have at most ${most} slots. Remove one, then paste this line again.`,
  badCode: ({ code }: { code: string }) =>
    `${code} is not a valid bucket code: use 1 to 12 letters or digits.`,
  tooManyBuckets: ({ code, most }: Most & { code: string }) =>
    `${code} would exceed the limit of ${most} custom buckets. Use an existing bucket.`,
  twiceHere: (slot: Slot) => `${slotName(slot)} is in this text already. Use another slot number.`,
  taken: ({ id, slot, bucket }: Slot & Id) =>
    `${slotName({ slot, bucket })} already has beatmap ${id}. Use another slot number.`,
  tooManyRounds: ({ most }: Most) =>
    `A tournament can have at most ${most} rounds. Remove one, then paste this line again.`,
  tooLong: ({ most }: Most) =>
    `This is more than ${most} MB of text, so nothing was read. Paste one pool at a time.`,
  program: 'This is program text. Paste the list of beatmaps instead.',
  badJson: ({ problem }: { problem: string }) => `This is JSON with a mistake. ${problem}`,
  inPart: ({ prefix, problem }: { prefix: string; problem: string }) => prefix + problem,
  nothingInData: 'No beatmap was found in this data. Each needs its slot and its id.',
  aboutOthers: ({ what }: What) => `This is data about ${what}, not a pool.`,
  players: 'players',
  scores: 'scores',
  matches: 'matches',
  noId: 'It has no beatmap id.',
  noIdOf: ({ what }: What) => `${what} has no beatmap id.`,
  noIdAt: ({ what, place }: What & { place: string }) => `${what} at ${place} has no beatmap id.`,
  notYetAt: ({ what, place }: What & { place: string }) =>
    `${what} at ${place} has no beatmap yet.`,
  noneBelow: ({ what }: What) => `There is no beatmap below ${what}.`,
  unknownBeatmap: 'The game’s site has no beatmap of this id.',
  otherRuleset: 'It is of another ruleset than the others.',
  otherStars: 'It has far fewer or more stars than the others.',
  keyOpened:
    'A pack key in this text was opened and the rest was ignored. Paste this line by itself.',
  otherKeyOpened: 'Another pack key in this text was opened. Paste this one by itself.',
  noKey: 'This is not a pack key; a pack key begins with pk, a number and a dot.',
  keyVersion: 'This pack key has a version that is not known here; versions 1 to 3 are.',
  keyEncoding:
    'This pack key holds a character that does not belong, or lacks some; copy it again.',
  keyDamaged: 'This pack key is damaged; copy it again.',
  keyInvalid: 'This pack key holds no valid pool',
  keyInvalidFor: ({ problem }: { problem: string }) =>
    `This pack key holds no valid pool: ${problem}`,
}

/** What is asked, and what can be answered. */
const questions = {
  areIds: 'Are these numbers beatmap ids?',
  areIdsInColumn: ({ column }: { column: string }) =>
    `Are the numbers in column ${column} beatmap ids?`,
  areIdsIn: ({ what }: What) => `Are the numbers in ${what} beatmap ids?`,
  areIdsOfBuckets: 'Are the numbers under the names of buckets beatmap ids?',
  isId: ({ field }: { field: string }) =>
    `Is “${field}” the id of a beatmap, not of its set or anything else?`,
  noLeaveThem: 'No, leave them out',
  noLeaveIt: 'No, leave it out',
  leaveThem: 'Leave them out',
  leaveLine: 'Leave this line out',
  leaveHeading: 'It is a heading, leave it out',
  useThem: 'Use them',
  yesUseThem: 'Yes, use them',
  yesUseIt: 'Yes, use it',
  yesSuchAs: ({ id }: Id) => `Yes, such as ${id}`,
  areIdsThen: 'They are beatmap ids',
  itIs: ({ what }: What) => `It is ${what}`,
  isBeatmap: ({ id }: Id) => `It is beatmap ${id}`,
  slotIs: ({ slot, id }: Id & { slot: string }) => `${slot} is ${id}`,
  isUnknown: ({ n, ids }: Ids) =>
    `The game’s site has no beatmap ${ids}. ${many(n, 'Is it the id', 'Are they ids')} of a set, or mistyped?`,
  isOtherRuleset: ({ n, ids }: Ids) =>
    many(
      n,
      `Beatmap ${ids} is of another ruleset than the others. Is it meant?`,
      `Beatmaps ${ids} are of another ruleset than the others. Are they meant?`,
    ),
  isOtherStars: ({ n, ids }: Ids) =>
    many(
      n,
      `Beatmap ${ids} has far fewer or more stars than the others. Is it meant?`,
      `Beatmaps ${ids} have far fewer or more stars than the others. Are they meant?`,
    ),
  andMore: ({ items, n }: { items: string; n: number }) => `${items} and ${n} more`,
  whatCounts: ({ slot }: { slot: string }) =>
    `The numbers of the slots go on from bucket to bucket, up to ${slot}. What do they count?`,
  throughPool: ({ slot }: { slot: string }) => `They count through the pool: it is ${slot}`,
  inBucket: ({ slot }: { slot: string }) => `They count in their bucket: it is ${slot}`,
  areNumbers: ({ what }: What) => `Do the numbers in ${what} number the slots of each bucket?`,
  areRounds: ({ what }: What) =>
    `In ${what}, the rows are of several groups with the same buckets. Is each group a round?`,
  onePool: 'No, they are one pool',
  isAside: ({ what }: What) => `${what} says that this is not the pool. Is it the pool?`,
  fieldsOfBeatmaps: ({ one, other }: { one: string; other: string }) =>
    `The fields “${one}” and “${other}” name different beatmaps. Which one is it?`,
  fieldsOfSlots: ({ one, other }: { one: string; other: string }) =>
    `The fields “${one}” and “${other}” name different slots. Which one is it?`,
  inField: ({ field }: { field: string }) => `The one in “${field}”`,
  whichBucket: ({ what }: What) => `${what} is not a known bucket. Where do its beatmaps belong?`,
  newBucket: ({ code }: { code: string }) => `In a new bucket ${code}`,
  noBucket: 'In no bucket',
  keyOrField: 'The key and the field inside name different beatmaps. Which one is it?',
  inKey: 'The one in the key',
  inTheField: 'The one in the field',
  twoAtSlot: 'There are two beatmaps at a slot. Which one is it?',
  first: 'The first',
  second: 'The second',
  startsWithSlot: ({ what }: What) =>
    `Cells begin like slots, such as ${what}. Are these the slots of their beatmaps?`,
  twoSlots: ({ id }: Id) => `This line has two slots. Which one is ${id}?`,
  twoIds: ({ slot }: { slot: string }) => `This line has two beatmap ids. Which one is ${slot}?`,
  twoBeatmaps: ({ slot }: { slot: string }) => `This line has two beatmaps. Which one is ${slot}?`,
  idOrLink: 'The id and the link of this line are different beatmaps. Which one is it?',
  theLink: ({ id }: Id) => `The link, ${id}`,
  theId: ({ id }: Id) => `The id ${id}`,
  twoLines: ({ slot }: { slot: string }) =>
    `Two lines name different beatmaps for ${slot}. Which one is it?`,
  brokenLink:
    'This link ends where its line ends, and the next line begins with a number. Which beatmap is it?',
  linkGoesOn: ({ id }: Id) => `The link goes on, it is ${id}`,
  beatmapOrHeading: ({ id, code }: Id & { code: string }) =>
    `Is ${id} the beatmap of a bucket ${code}, or is the line a heading?`,
  isBelowPart: ({ title }: { title: string }) =>
    `Are the beatmaps below “${title}” part of the pool?`,
  twiceSlot: ({ slot }: { slot: string }) => `${slot} appears twice. Which row should be used?`,
  twiceSlots: ({ n }: { n: number }) => `${n} slots appear twice. Which rows should be used?`,
  lowerRow: ({ id }: Id) => `The lower one, such as ${id}`,
  upperRow: ({ id }: Id) => `The upper one, such as ${id}`,
  isSuggestions: ({ what }: What) => `This looks like suggestions: ${what}. Is it the pool?`,
  whichPool: 'Which of these is the pool?',
  whichColumn: 'Several columns may hold the beatmap ids. Which one is it?',
  columnNumber: ({ column, id }: Id & { column: string }) => `Column ${column}, such as ${id}`,
  columnNamed: ({ title, id }: Id & { title: string }) => `The column “${title}”, such as ${id}`,
  whichRow: 'Two rows may hold the beatmap ids. Which one is it?',
  lineNumber: ({ line, id }: Id & { line: string }) => `Line ${line}, such as ${id}`,
  lessThanHalf: ({ read, n }: { read: string; n: number }) =>
    `Less than half of this was understood: ${read} of ${n} lines. Use what was understood?`,
  useUnderstood: 'Use what was understood',
  useNone: 'Use none of it',
}

/** What hosts should know, and where it is. */
const notes = {
  ofLine: ({ line, note }: { line: string; note: string }) => `Line ${line}: ${note}`,
  fromZero: 'The slots of this file are counted from 0; their numbers are one higher here.',
  labelTaken: ({ field, mods, label }: { field: string; mods: string; label: string }) =>
    `“${field}” says ${mods}; the label ${label} was used instead.`,
  fieldLeftOut: ({ problem }: { problem: string }) =>
    `A field of a round was left out: ${problem}.`,
  leftOut: ({ what }: What) => `${what} was left out.`,
  withoutSlots: ({ n }: { n: number }) =>
    `${many(n, '1 beatmap has no slot', `${n} beatmaps have no slot`)} in this text. Assign them to buckets afterwards.`,
  linksLeftOut: ({ n, link }: { n: number; link: string }) =>
    many(
      n,
      `1 link that leads to no beatmap was left out: ${link}`,
      `${n} links that lead to no beatmap were left out, such as ${link}`,
    ),
  setsPlanned: ({ slots }: { slots: string }) =>
    `The links of ${slots} lead to beatmap sets. A round keeps them as planned slots; a pack needs the link of the difficulty.`,
  figuresLeftOut: ({ n, numbers }: { n: number; numbers: string }) =>
    many(
      n,
      `The number ${numbers}, alone on its line, was left out as a figure of the beatmap beside it, such as its BPM.`,
      `${n} numbers alone on their lines (${numbers}) were left out as figures of the beatmaps beside them, such as their BPM.`,
    ),
  slotOf: slotName,
  hiddenTabs: ({ n, tabs }: { n: number; tabs: string }) =>
    many(n, `The hidden tab “${tabs}” was left out.`, `${n} hidden tabs were left out: ${tabs}.`),
  firstTabs: ({ most }: Most) => `Only the first ${most} tabs were read.`,
  firstRows: ({ most, tab }: Most & { tab: string }) =>
    `Only the first ${most} rows of the tab “${tab}” were read.`,
  hiddenRows: ({ n, rows, tab }: { n: number; rows: string; tab: string }) =>
    many(
      n,
      `Row ${rows} of the tab “${tab}” is hidden and was left out.`,
      `${n} rows of the tab “${tab}” (${rows}) are hidden and were left out.`,
    ),
  struckRows: ({ n, rows, tab }: { n: number; rows: string; tab: string }) =>
    many(
      n,
      `Row ${rows} of the tab “${tab}” is struck through and was left out.`,
      `${n} rows of the tab “${tab}” (${rows}) are struck through and were left out.`,
    ),
  struckLines: ({ n, lines }: { n: number; lines: string }) =>
    many(
      n,
      `Line ${lines} is struck through and was left out.`,
      `${n} lines (${lines}) are struck through and were left out.`,
    ),
  firstOf: ({ items }: { items: string }) => `${items} …`,
  suggestions: ({ where }: Where) => `Suggestions (${where}) were left out.`,
  person: ({ where }: Where) => `A table of players (${where}) was left out.`,
  team: ({ where }: Where) => `A table of teams (${where}) was left out.`,
  match: ({ where }: Where) => `A table of matches (${where}) was left out.`,
  score: ({ where }: Where) => `A table of scores (${where}) was left out.`,
  staff: ({ where }: Where) => `A table of staff (${where}) was left out.`,
  statistic: ({ where }: Where) => `A table of statistics (${where}) was left out.`,
  moreTables: ({ n }: { n: number }) => `And ${n} more tables were left out.`,
  atLines: ({ n, lines }: { n: number; lines: string }) =>
    many(n, `line ${lines}`, `lines ${lines}`),
  atColumns: ({ n, columns }: { n: number; columns: string }) =>
    many(n, `column ${columns}`, `columns ${columns}`),
  upTo: ({ first, last }: { first: string; last: string }) => `${first} to ${last}`,
  inTab: ({ tab, where }: Where & { tab: string }) => `tab “${tab}”, ${where}`,
  titled: ({ title, where }: Where & { title: string }) => `“${title}”, ${where}`,
  tableAt: ({ where, n }: Where & { n: number }) =>
    capital(`${where}, ${n} ${many(n, 'slot', 'slots')}`),
  tableTitled: ({ title, where, n }: Where & { title: string; n: number }) =>
    `“${title}” (${where}, ${n} ${many(n, 'slot', 'slots')})`,
}

/** What shows how a text or a file is made. */
const signs = {
  isSections: 'Its sections name a round and a bucket each.',
  isArticle: 'Sections have lists of buckets, and below each the list of its beatmaps.',
  isProgram: 'It has the statements of a program.',
  isJson: 'It begins as JSON does.',
  isBracket: 'It is a bracket.json of the tournament client.',
  isOsdb: 'It begins as an .osdb does.',
  isTooLong: 'It is too long to be read.',
  isNumbers: 'It has nothing but numbers, and ids among them.',
  isLines: 'Each line is read by itself.',
  isHeaded: ({ line }: { line: string }) => `Line ${line} names the columns.`,
  isCells: 'The lines have cells.',
  isFields: 'Its lines name what they hold, in a block for each beatmap.',
  isSpreadsheet: 'It is a spreadsheet file.',
  isSpreadsheetOf: ({ n }: { n: number }) => `It is a spreadsheet file with ${n} tabs of slots.`,
  isData: 'It is data.',
  isDataOf: ({ parts }: { parts: string }) => `It is data: ${parts}.`,
  holdsSlot: ({ keys }: { keys: string }) => `${keys} holds the slot`,
  holdsBeatmap: ({ keys }: { keys: string }) => `${keys} holds the beatmap`,
  holdsRound: ({ keys }: { keys: string }) => `${keys} holds the round`,
}

type OwnImportWords = typeof refusals & typeof questions & typeof notes & typeof signs

/** Also the messages about the files that are read, and about the pack keys in them. */
export type ImportWords = OwnImportWords & FormatWords & KeyWords

export const importWords: ImportWords = {
  ...formatWords,
  ...keyWords,
  ...refusals,
  ...questions,
  ...notes,
  ...signs,
}
