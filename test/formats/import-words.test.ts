import { describe, expect, it } from 'vitest'
import * as files from '#texts/files'
import * as keys from '#texts/key-problems'
import * as reading from '#texts/reading'
import { importWords } from '../../src/formats/import/import-words.ts'
import { say } from '../../src/formats/import/import-message.ts'
import { joinEnglish, worded } from '../../src/pool/message.ts'

type Text = string | ((values: never) => string)

/** Any value by its name; `n` is a number. */
const anyValues = (bucket: 'none' | 'one'): object =>
  new Proxy(
    { n: 3, bucket },
    { get: (known, name) => Reflect.get(known, name) ?? `‹${String(name)}›` },
  )

/** The API and the command line say what exactly is wrong in data of the API; pages name the place. */
const shorterOnPages = new Set(['mustBe', 'notAPool', 'keyOfProblem'])

describe('what is said of what is read, as data', () => {
  const pages: Readonly<Record<string, Text>> = { ...files, ...keys, ...reading }
  const kinds = Object.entries<Text>(importWords).filter(([kind]) => !shorterOnPages.has(kind))
  const textOf = (text: Text | undefined, bucket: 'none' | 'one') =>
    typeof text === 'function' ? text(anyValues(bucket) as never) : text

  it.each(kinds)('%s is the same on a page in English as on the command line', (kind, english) => {
    for (const bucket of ['none', 'one'] as const) {
      const [shown, wanted] = [pages[kind], english].map((text) => textOf(text, bucket))
      expect(shown?.toLowerCase()).toBe(wanted?.toLowerCase())
    }
  })

  it('has no text on pages for what is never said', () => {
    expect(Object.keys(pages).filter((kind) => !(kind in importWords))).toEqual([])
  })

  it('takes values, messages within it and lists, whatever is in them', () => {
    const english = { words: importWords, join: joinEnglish }
    const what = { items: ['{"a', { message: say('scores') }, 7], how: 'and' } as const
    const message = say('aboutOthers', { what })
    expect(worded(message, english)).toBe('This is data about {"a and scores and 7, not a pool.')
    expect(message).toBe(say('aboutOthers', { what: { ...what } }))
    expect(worded(say('noId'), english)).toBe('It has no beatmap id.')
  })
})
