import { badBody, type BadCase } from './case.ts'

/** Numbers are written as text: JSON has spellings that JavaScript would not keep. */
const slotWith = (field: 'index' | 'beatmapId', number: string): string => {
  const numbers = { index: '1', beatmapId: '75', [field]: number }
  return `{"name":"a","slots":[{"mod":"NM","index":${numbers.index},"beatmapId":${numbers.beatmapId}}]}`
}
const withColor = (number: string): string =>
  `{"name":"a","slots":[{"mod":"NM","index":1,"beatmapId":75}],"buckets":[{"code":"RC","color":${number}}]}`

type Field = {
  readonly place: string
  readonly write: (number: string) => string
  readonly range: string
  /** One below and one above, and far away, in every spelling. */
  readonly outside: readonly string[]
}

const fields: readonly Field[] = [
  {
    place: 'slots[0].index',
    write: (number) => slotWith('index', number),
    range: 'from 1 to 99',
    outside: ['0', '-0', '0.0', '0e5', '100', '100.0', '1e2', '1E+2', '99999999999999999999'],
  },
  {
    place: 'slots[0].beatmapId',
    write: (number) => slotWith('beatmapId', number),
    range: 'from 1 to 2147483647',
    outside: ['0', '-0', '-1', '2147483648', '2147483648.0', '4294967297', '1e300'],
  },
  {
    place: 'buckets[0].color',
    write: withColor,
    range: 'from 0 to 9',
    outside: ['-1', '-1.0', '10', '1e1', '18446744073709551616', '-99999999999999999999'],
  },
]

const notWhole = ['1e400', '-1e400', '0.5', '1.5', '1e-1', '5e-324', '8.999999']

/** Numbers outside a field's bounds, in spellings that only JSON text has (D-18). */
export const badNumbers: readonly BadCase[] = fields.flatMap(({ place, write, range, outside }) => [
  ...outside.map((number) =>
    badBody(`${place} is ${number}`, write(number), `${place} must be ${range}`),
  ),
  ...notWhole.map((number) =>
    badBody(`${place} is ${number}`, write(number), `${place} must be a whole number ${range}`),
  ),
])
