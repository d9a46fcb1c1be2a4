import { describe, expect, it } from 'vitest'
import { readBracket } from '../../src/formats/bracket/read-bracket.ts'
import { mergeRound } from '../../src/formats/bracket/write-bracket.ts'
import { FormatError } from '../../src/formats/format-error.ts'
import { MAX_JSON_LENGTH } from '../../src/formats/json/scan-json.ts'

const messageOf = (text: string): string => {
  try {
    readBracket(text)
  } catch (error) {
    if (error instanceof FormatError) return error.message
    throw error
  }
  return ''
}

describe('a file that is no bracket.json is refused with line, column and remedy', () => {
  it.each([
    ['', 'line 1, column 1: expected a value, but the file ends here; it may be incomplete'],
    [
      '{\r\n "Rounds": [1, 2',
      'line 2, column 17: expected a comma or ], but the file ends here; it may be incomplete',
    ],
    ['{\n\t"a": 1,\n}', 'line 3, column 1: expected a key in double quotes, found }'],
    ['\ufeff{"a" 1}', 'line 1, column 6: expected a colon, found 1'],
    ['{"a": 01}', 'line 1, column 8: expected a comma or }, found 1'],
    ['{"a": -}', 'line 1, column 8: expected a digit, found }'],
    ['{"a": 1.}', 'line 1, column 9: expected a digit, found }'],
    ['{"a": True}', 'line 1, column 7: expected a value, found T'],
    ['{"a": "b\nc"}', 'line 1, column 9: a string must end on the same line; close it'],
    ['{"a": "\u001f"}', 'line 1, column 8: a string must end on the same line; close it'],
    [
      '{"a": "b',
      'line 1, column 7: the string that starts here does not end; the file may be incomplete',
    ],
    ['{"a": "\\u12g4"}', 'line 1, column 8: this is not a JSON escape; write \\\\ for a backslash'],
    ['{}\r{}', 'line 2, column 1: there is extra text after the end; remove it'],
    [
      '[]',
      'line 1, column 1: this must be a bracket.json of the tournament client, which is a JSON object',
    ],
    ['{"Round": []}', 'this must be a bracket.json of the tournament client; it has no "Rounds"'],
    ['{"Rounds": {}}', 'line 1, column 12: "Rounds" must be a list'],
    [
      '{"Rounds": [],\n "Rounds": []}',
      'line 2, column 2: this object has "Rounds" twice; remove one of them',
    ],
    [
      '{"Rounds": [],\n "rounds": []}',
      'line 2, column 2: this object has "Rounds" twice; remove one of them',
    ],
    [
      '{"Rounds": [{"Name": "a",\n"Beatmaps": [], "Beatmaps": []}]}',
      'line 2, column 17: this object has "Beatmaps" twice; remove one of them',
    ],
  ])('%j', (text, message) => {
    expect(messageOf(text)).toBe(message)
  })
})

describe('bounds', () => {
  it('deep nesting is refused, whatever stack there is', () => {
    for (const opener of ['[', '{"a":', '[{"a":']) {
      expect(messageOf(opener.repeat(1_000_000))).toMatch(/nested at most 256 deep$/)
    }
    expect(messageOf(`{"Rounds":[],"a":${'['.repeat(255)}${']'.repeat(255)}}`)).toBe('')
  })

  it('a file of over 32 million characters is refused', () => {
    expect(messageOf(' '.repeat(MAX_JSON_LENGTH + 1))).toMatch(/at most 33554432 characters$/)
  })

  it('too many rounds, too many beatmaps in one', () => {
    expect(messageOf(`{"Rounds":[${'0,'.repeat(200)}0]}`)).toMatch(/at most 200 rounds$/)
    expect(messageOf(`{"Rounds":[{"Beatmaps":[${'0,'.repeat(1000)}0]}]}`)).toMatch(/1000 beatmaps$/)
  })
})

describe('time goes with the length of the file, whatever stands in it', () => {
  const pool = { name: 'Finals', buckets: null, slots: [] }
  const many = (part: string): string => part.repeat(2_000_000 / part.length)

  it.each([
    ['white space before a round', `{"Rounds":[0,${many(' ')}{}]}`],
    ['lines before the rounds', `{${many('\n')}"Rounds":[]${many('\r\n')}}`],
    ['keys', `{"Rounds":[{${many('"a":1,')}"Name":"Finals"}]}`],
    ['values', `{"Rounds":[],"a":[${many('[],')}0]}`],
    ['one text', `{"Rounds":[],"a":"${many('\\"')}"}`],
    ['one number', `{"Rounds":[],"a":${many('1')}}`],
  ])('%s', (_, text) => {
    expect(readBracket(text).refused.length).toBeLessThan(3)
    expect(JSON.parse(mergeRound(text, pool))).toHaveProperty('Rounds')
  })
})

describe('nothing is merged into a file', () => {
  const pool = { name: 'Finals', buckets: null, slots: [] }

  it('that cannot be read', () => {
    expect(() => mergeRound('{"Rounds": [}', pool)).toThrow(
      'line 1, column 13: expected a value, found }',
    )
  })

  it('with two rounds of the name', () => {
    const text = '{"Rounds": [\n{"Name": "Finals"},\n{"Name": "Finals "}]}'
    expect(() => mergeRound(text, pool)).toThrow(
      'line 3, column 1: there is already a round named Finals; rename one of them',
    )
  })
})
