import { expect, test } from 'vitest'
import { Evidence } from '../../scripts/fuzz/import-evidence.ts'
import { runFuzz } from '../../scripts/fuzz/run-fuzz.ts'
import { readImport } from '../../src/formats/import/read-import.ts'

// `node scripts/fuzz-formats.ts` gives a million; these are the first of another seed.
test('damaged files are refused with a clear error or read into something sound', async () => {
  const { tally } = await runFuzz(20_260_101, { count: 5000 })
  for (const [name, { taken, refused }] of tally) {
    expect(taken, name).toBeGreaterThan(0)
    // A paste is never refused whole; its lines are.
    if (!['paste', 'import', 'workbook'].includes(name)) expect(refused, name).toBeGreaterThan(100)
  }
})

// `node scripts/fuzz-formats.ts --reader import --count 100000` gives more.
test('files of every shape, damaged, give no slot that is not in them, however questions are answered', async () => {
  const { tally } = await runFuzz(20_260_102, { count: 2000, reader: 'import' })
  expect(tally.get('import')?.taken).toBeGreaterThan(1000)
})

// `node scripts/fuzz-formats.ts --reader workbook --count 10000` gives more.
test('spreadsheet files with cells, strings, relations and styles changed inside give no slot that is not in them', async () => {
  const { tally } = await runFuzz(20_260_103, { count: 300, reader: 'workbook' })
  const { taken = 0, refused = 0 } = tally.get('workbook') ?? {}
  expect([taken, refused].every((each) => each > 50)).toBe(true)
})

test('a slot is in a text in every form that people write, and a guess is not', () => {
  const text =
    'ＮＭ１ １２９８９１, Hidden + Hard Rock 1,872,396 https://osu.ppy.sh/b/75 76.0 "N\\u0042\\u0031 \\u0037\\u0037" Q㈀Z 78¹'
  const evidence = new Evidence(text)
  const numbers = [129_891, 1_872_396, 75, 76, 77, 78]
  expect(numbers.filter((each) => !evidence.hasNumber(each))).toEqual([])
  expect(['NM', 'HD', 'HDHR', 'NB', 'QZ'].filter((code) => !evidence.hasCode(code))).toEqual([])
  expect([129, 12, 2_147_483_647, 7].filter((each) => evidence.hasNumber(each))).toEqual([])
  expect(['TB', 'DT', 'EZ'].filter((code) => evidence.hasCode(code))).toEqual([])
})

test('no answer makes a question or takes one away', () => {
  const text = '{"NM1": 75, "NM2": "x", "NM3": "x", "NM4": "x", "Warmup": [129891, 76, 77]}'
  const ids = ['', 'a', 'b'].map((answer) =>
    readImport(text, { answers: new Map([['1', answer]]) }).questions.map(({ id }) => id),
  )
  expect(ids).toEqual([['1'], ['1'], ['1']])
})
