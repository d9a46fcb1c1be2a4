// `npm run corpus`: how the files of test/formats/corpus are read, by shape, and what is wrong with which.
// `npm run corpus -- FOLDER [PART OF A PATH]`: the same of any folder with an expected.json (test/formats/corpus-folder.ts).
// The exit status is 1 where a file is wrong or cannot be read, and where there is none to try.
import { atMost, readArguments } from './arguments.ts'
import { bytesOf, judge, readCorpus, type Verdict } from '../test/formats/corpus-cases.ts'
import {
  CorpusError,
  expectedOf,
  type FileResult,
  judgeFile,
  unlistedIn,
  verdicts,
} from '../test/formats/corpus-folder.ts'

const WIDTH = 20
const row = (name: string, ...figures: readonly (string | number)[]): string =>
  name.padEnd(WIDTH) + figures.map((figure) => String(figure).padStart(11)).join('')

type Result = { readonly name: string; readonly verdict: Verdict }

const sumOf = (results: readonly Result[]) => {
  const sum = (of: (verdict: Verdict) => number): number =>
    results.reduce((total, { verdict }) => total + of(verdict), 0)
  return [
    results.length,
    sum(({ slots }) => slots),
    sum(({ read }) => read),
    sum(({ asked }) => asked),
    sum(({ refused }) => refused),
    sum(({ wrong }) => wrong.length),
    results.filter(({ verdict }) => verdict.wrong.length + verdict.needless.length > 0).length,
  ]
}

const ownCorpus = async (): Promise<void> => {
  const all: Result[] = []
  console.log(row('shape', 'files', 'slots', 'read', 'asked', 'refused', 'wrong', 'not clean'))
  for (const { id, files } of readCorpus()) {
    const results: Result[] = []
    for (const [file, expected] of files) {
      const verdict = await judge(bytesOf(id, file), file, expected)
      results.push({ name: `${id}/${file}`, verdict })
    }
    console.log(row(id, ...sumOf(results)))
    all.push(...results)
  }
  console.log(row('all', ...sumOf(all)))

  for (const { name, verdict } of all) {
    const { wrong, needless } = verdict
    if (wrong.length + needless.length === 0) continue
    console.log(`\n${name}`)
    for (const [mark, list] of [
      ['wrong', wrong],
      ['needless', needless],
    ] as const) {
      for (const text of list.slice(0, MOST)) console.log(`  ${mark}: ${text}`)
      if (list.length > MOST) console.log(`  ${mark}: and ${list.length - MOST} more`)
    }
  }
}

/** The number of files by folder and verdict, and what differs in those that are not right. */
const corpusIn = async (folder: string, part: string): Promise<void> => {
  const all = expectedOf(folder)
  const files = [...all].filter(([path]) => path.includes(part))
  if (files.length === 0) throw new CorpusError(`No path in ${folder} has “${part}” in it.`)
  const unread: string[] = []
  const results: (FileResult & { readonly path: string })[] = []
  for (const [path, expected] of files) {
    let result: FileResult
    try {
      result = await judgeFile(folder, path, expected)
    } catch (error) {
      if (!(error instanceof CorpusError)) throw error
      console.log(error.message)
      unread.push(path)
      continue
    }
    results.push({ path, ...result })
    if (result.verdict === 'right' && result.plannedRead === result.planned) continue
    const planned =
      result.planned === 0 ? '' : `, ${result.plannedRead} of ${result.planned} planned slots`
    console.log(`${path}: ${result.verdict}${planned}`)
    const most = part === '' ? MOST : MOST_OF_ONE
    for (const text of result.details.slice(0, most)) console.log(`  ${text.slice(0, LONGEST)}`)
    if (result.details.length > most) console.log(`  and ${result.details.length - most} more`)
  }
  console.log(row('\nfolder', ...verdicts))
  const folders = Map.groupBy(results, ({ path }) => path.split('/', 1)[0]!)
  for (const [name, own] of [...folders, ['all', results] as const]) {
    const count = (wanted: string): number => own.filter(({ verdict }) => verdict === wanted).length
    console.log(row(name, ...verdicts.map(count)))
  }
  const unlisted = part === '' ? unlistedIn(folder, all) : []
  if (unlisted.length > 0) {
    const more = unlisted.length > MOST ? ` and ${unlisted.length - MOST} more` : ''
    console.log(`\nexpected.json does not list ${unlisted.slice(0, MOST).join(', ')}${more}.`)
  }
  const isWrong = results.some(({ verdict }) => verdict === 'wrong' || verdict === 'unlabelled')
  if (isWrong || unread.length > 0) process.exitCode = 1
}

const MOST = 4
const MOST_OF_ONE = 60
const LONGEST = 200
const [folder, part = ''] = readArguments(
  'npm run corpus -- [FOLDER [PART_OF_A_PATH]]',
  {},
  ({ positionals }) => atMost(2, positionals),
)
try {
  await (folder === undefined ? ownCorpus() : corpusIn(folder, part))
} catch (error) {
  if (!(error instanceof CorpusError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
