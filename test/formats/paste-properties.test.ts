import { LONGEST_TEXT } from '../../src/formats/import/read-import.ts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findProblems } from '../../src/pool/checks.ts'
import { anyCode, anyDraft, anyText } from '../pool/pool-arbitrary.ts'
import { emptyDraft, readPaste } from './pasted-text.ts'
import { expectLinear } from '../support/linear.ts'

/** Pieces of which people and mischief make pastes. */
const piece = fc.oneof(
  fc.constantFrom('NM', 'hd', 'TB', 'RC1', '4K', 'NM1', '#', ':', ',', ';', '|', '"', '""', "'"),
  fc.constantFrom('\t', '\n', '\r\n', '\r', ' ', '\u200b', '\ufeff', '-', '[', ']', '(', '='),
  fc.constantFrom('Slot', 'Beatmap ID', 'Mod', 'Index', 'Link', 'Title', '!mp map ', '[b]', '[/b]'),
  fc.constantFrom('https://osu.ppy.sh/b/75', '/beatmapsets/1#osu/2', '/beatmapsets/3', 'pk1.'),
  fc.constantFrom('pk1.AQFhAQICrAKFPA', 'pk2.AgFhBgABAgMEBQH_AQFYnA', '\ud800', '\0'),
  fc.nat(150).map(String),
  fc.nat(3_000_000_000).map(String),
  anyCode,
  anyText,
)
const anyPaste = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))

describe('whatever is pasted', () => {
  it('throws nothing, and a valid draft stays valid', () => {
    fc.assert(
      fc.property(anyPaste, fc.oneof(anyDraft, fc.constant(emptyDraft)), (text, into) => {
        const { draft } = readPaste(text, into)
        expect(findProblems({ ...draft, name: 'any' }, 0)).toEqual([])
      }),
      { numRuns: 3000 },
    )
  })

  it('each slot that is reported is in the draft, beside what was there, and no other', () => {
    fc.assert(
      fc.property(anyPaste, anyDraft, (text, into) => {
        const { draft, lines } = readPaste(text, into)
        const added = lines.flatMap((line) =>
          line.outcome === 'slot'
            ? [{ mod: line.mod, index: line.index, beatmapId: line.beatmapId }]
            : [],
        )
        expect(draft.slots).toEqual([...into.slots, ...added])
        if (added.length === 0 && into.slots.length > 0) expect(draft).toBe(into)
      }),
      { numRuns: 1000 },
    )
  })

  it('each line of it is told once and in order, whole', () => {
    fc.assert(
      fc.property(anyPaste, (text) => {
        const { lines: all, packKey } = readPaste(text, emptyDraft)
        fc.pre(packKey === null)
        // A line of several ids has several slots.
        const lines = all.filter((each, at) => each.line !== all[at - 1]?.line)
        let line = 1
        for (const each of lines) {
          expect(each.line).toBe(line)
          line += each.text.split(/\r\n|\r|\n/).length
        }
        const whole = text.replace(/^\ufeff/, '').replaceAll(/\r\n|\r/g, '\n')
        const told = lines.map((each) => each.text.replaceAll(/\r\n|\r/g, '\n')).join('\n')
        expect(told + (whole.endsWith('\n') ? '\n' : '')).toBe(whole)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('bounds', () => {
  it('a text over 1 MB is refused whole', () => {
    const text = `NM1 5\n${' '.repeat(LONGEST_TEXT)}`
    expect(readPaste(text, emptyDraft)).toEqual({
      lines: [
        {
          line: 1,
          text: 'NM1 5',
          outcome: 'refused',
          reason: 'This is more than 1 MB of text, so nothing was read. Paste one pool at a time.',
        },
      ],
      draft: emptyDraft,
      packKey: null,
    })
  })

  // What goes in squares over these takes more than ten seconds of the processor.
  const units = [
    '\n',
    '"',
    '"\n',
    '"""a\n',
    '"a""\n',
    'a.',
    'ppy.sh/',
    '/b/',
    '&b=',
    '!mp map ',
    'pk1.',
    '1',
    '1 ',
    ' ',
    '- 1 ',
    'a: ',
    ',',
    'a;',
    '\t',
    "'",
    "'=,",
    '(',
    '[b][/b]',
    '\u200b',
    'NM1:\n',
    'Slot,ID\n',
    'a,b;c|d\te\n',
    '1,111',
    'https://osu.ppy.sh/b/75 ',
    '\ud800',
    '[size=',
    '[',
    '[](/b/75',
  ]
  it.each(units)('takes time in proportion to 60 kB of %j', (unit) => {
    for (const start of ['', '\t"', '/beatmapsets/1', '/p/beatmap?', '!mp']) {
      const whole = start + unit.repeat(60_000 / unit.length)
      expectLinear(whole, (text) => readPaste(text, emptyDraft))
    }
  })
})
