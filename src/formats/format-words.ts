// Why a file cannot be read or changed, in English (D-14). To be read after a colon; pages have texts of their own.

type P = { problem: string }
type W = { what: string }
type M = { most: string }
type N = { name: string }
type C = { n: number }

export const formatWords = {
  atLine: ({ line, column, problem }: P & { line: string; column: string }) =>
    `line ${line}, column ${column}: ${problem}`,
  atByte: ({ offset, problem }: P & { offset: string }) => `byte ${offset}: ${problem}`,
  unpacked: ({ problem }: P) => `${problem} (counted in the unpacked content)`,

  oldXls: 'this is an old .xls, or it has a password; save it as .xlsx without a password',
  notSupported: 'this file type is not supported; save a spreadsheet as .xlsx, .ods or CSV',
  xlsb: 'this is an .xlsb; save it as .xlsx',
  noSpreadsheet:
    'this archive is no spreadsheet; unpack it, or save the spreadsheet as .xlsx, .ods or CSV',
  notUtf8: 'this is not UTF-8; save the file as UTF-8 (in a spreadsheet: CSV UTF-8)',
  notUtf16: 'this is not valid UTF-16; save the file as UTF-8',
  password: 'it has a password; save it without one',
  damagedSheet:
    'this spreadsheet file is damaged, or has a password; open it in a spreadsheet program and save it again as .xlsx or CSV',
  damagedArchive:
    'this file is damaged or was not copied whole; open it in a spreadsheet program and save it again as .xlsx or CSV',
  largeSheet: 'it is larger than 50 MB unpacked; save the tab with the pool in a file of its own',
  noTab: ({ tab, tabs }: { tab: string; tabs: string }) =>
    `there is no tab “${tab}”; there are: ${tabs}`,
  noTabs: 'only .xlsx and .ods have tabs; leave out the name of the sheet for this file',
  checksumsAlone:
    'a collection.db names beatmaps by checksums alone; save it as .osdb in Collection Manager, which has ids',
  noPoolInFile: 'no pool in the file has beatmaps with ids',
  noBeatmapInIt: ({ reasons }: { reasons: string }) => `there is no beatmap in it${reasons}`,

  severalPacks: 'packs: the file has several packs; choose one of them',
  mustBe: ({ place, what }: W & { place: string }) => `${place} must be ${what}`,
  notAPool: ({ place, remedy }: { place: string; remedy: string }) => `${place} ${remedy}`,

  tooManyCharacters: ({ most }: M) => `the file must have at most ${most} characters`,
  afterEnd: 'there is extra text after the end; remove it',
  tooDeep: ({ most }: M) => `values must be nested at most ${most} deep`,
  openString: 'a string must end on the same line; close it',
  badEscape: String.raw`this is not a JSON escape; write \\ for a backslash`,
  endlessString: 'the string that starts here does not end; the file may be incomplete',
  openText: 'the text that starts here does not end on its line; close it',
  fileEnds: ({ what }: W) => `expected ${what}, but the file ends here; it may be incomplete`,
  textEnds: ({ what }: W) => `expected ${what}, but the text ends here; it may be incomplete`,
  found: ({ what, found }: W & { found: string }) => `expected ${what}, found ${found}`,
  foundControl: ({ what }: W) => `expected ${what}, found a control character`,
  aComma: ({ closer }: { closer: string }) => `a comma or ${closer}`,
  aColon: 'a colon',
  aQuotedKey: 'a key in double quotes',
  aKey: 'a key in quotes',
  aValue: 'a value',
  aDigit: 'a digit',
  aBracket: '{ or [',
  keyTwice: ({ name }: N) => `this object has "${name}" twice; remove one of them`,

  noBracket: 'this must be a bracket.json of the tournament client; it has no "Rounds"',
  noBracketObject: 'this must be a bracket.json of the tournament client, which is a JSON object',
  roundsNoList: '"Rounds" must be a list',
  tooManyRoundsInFile: ({ most }: M) => `a file can have at most ${most} rounds`,
  tooManyInRound: ({ most }: M) => `a round can have at most ${most} beatmaps`,
  twoRounds: ({ name }: N) => `two rounds are named ${name}; rename one of them`,
  sameRound: ({ name }: N) => `there is already a round named ${name}; rename one of them`,

  endsEarly: 'the file ends too early; it is damaged or incomplete',
  longText: 'a text is too long; the file is damaged',
  badText: 'this text is not UTF-8; the file is damaged',
  tooFewCollections: ({ n }: C) =>
    `the file is too short for ${n} collections; it is damaged or incomplete`,
  tooFewBeatmaps: ({ n }: C) =>
    `the file is too short for ${n} beatmaps; it is damaged or incomplete`,
  tooFewChecksums: ({ n }: C) =>
    `the file is too short for ${n} checksums; it is damaged or incomplete`,
  badTextStart: 'a text must begin with 0B, or be 00 for none; the file is damaged',
  badRuleset: 'the file is damaged: a ruleset must be 0 to 3',
  badEnd: ({ what }: W) => `the file must end with ${what} here; it is damaged`,
  goesOn: 'the file continues after its last collection; it is damaged',
  repeated: ({ what }: W) => `${what} must be repeated here`,
  notOsdb: 'an .osdb file must begin with o!dm to o!dm8',
  badPacked: 'the compressed content cannot be read; it is damaged or incomplete',
  largePacked: ({ most }: M) => `once unpacked, the content must have at most ${most} bytes`,
  largeFile: ({ most }: M) => `the file must have at most ${most} bytes`,
  withoutId: ({ n }: { n: number }) => `${n} beatmaps without an id, which a pool needs`,
  overLimit: ({ n, most }: M & { n: number }) =>
    `${n} beatmaps over the limit of ${most} per pool; split the collection`,
  tooManyCollections: ({ most }: M) => `a file can have at most ${most} collections`,
  tooManyBeatmaps: ({ most }: M) => `a file can have at most ${most} beatmaps`,
  secondCollection: ({ name }: N) =>
    `this is a second collection named ${name}; rename one of them`,
}

export type FormatWords = typeof formatWords
