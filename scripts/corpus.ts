// `npm run corpus`: how the files of test/formats/corpus are read, by shape, and what is wrong with which.
import { bytesOf, judge, readCorpus, type Verdict } from '../test/formats/corpus-cases.ts'

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

const MOST = 4
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
