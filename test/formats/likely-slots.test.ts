import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { mayBeSlot } from '../../src/formats/import/lines/likely-slots.ts'
import { BucketCodes } from '../../src/formats/import/words/labels.ts'
import { readPlannedLine, readRemarked } from '../../src/formats/import/lines/plans.ts'
import { emptyDraft } from '../../src/formats/import/read-import.ts'

const codes = new BucketCodes(emptyDraft)

/** Of which lines of chats and lists are made, and what rules for them look for. */
const word = fc.constantFrom(
  ...'NM1 HD2 nm TB tb1 EZ3 RC1 No Mod Hard Rock 2 id map Beatmap link by Ada of well played x'.split(
    ' ',
  ),
  ...'129891 75 3 1299 987654 b129891 set 300 pp 5* AR9 seed 4392947 １２９８９１ ＮＭ１ 2.'.split(
    ' ',
  ),
  'Ban 1',
  'Pick 2',
  'slot 3',
  '1.',
  '-',
  '*',
  '•',
  '[b]',
  '[*]',
  '~~75~~',
  '<@123456>',
  '__75__',
  '『',
)
const gap = fc.constantFrom(' ', ' ', ' ', ' ', ': ', ' > ', ', ', ' - ', '(', ') ', '\u200b', '/')
const start = fc.constantFrom(
  '',
  '',
  '[13:15] ',
  '[9:05] Ada: ',
  '12:30 ',
  'Ada: ',
  '<Ada> ',
  '# ',
  '> 1. ',
)
const anyLine = fc
  .tuple(start, fc.array(fc.tuple(word, gap), { minLength: 1, maxLength: 9 }))
  .map(([first, parts]) => first + parts.map(([text, between]) => text + between).join(''))

const remark = fc.constantFrom(
  '4 people',
  '300 pp',
  '1200 avg score',
  'set 1234',
  '<@123456789>',
  'AR9',
  '5.4 stars',
  'map',
  'link',
  'id',
  'by Ada Bo',
  'x',
  'and more of it',
)
/** A slot with something in front of it and behind it that the rules take away. */
const slotLine = fc
  .tuple(
    start,
    fc.constantFrom('', '', 'Ban 1 ', 'Pick 2 ', '1. ', 'map '),
    fc.constantFrom('NM1', 'NM 1', 'TB', 'Hard Rock 2', 'DT3 x', 'TB id', ''),
    fc.constantFrom('129891', '987654', '1299', 'b129891'),
    fc.array(remark, { maxLength: 3 }),
    fc.boolean(),
  )
  .map(([first, prefix, label, id, rest, isBefore]) => {
    const slot = isBefore ? [label, id] : [id, label]
    return first + prefix + [...slot, ...rest].join(' ')
  })
const line = fc.oneof(anyLine, slotLine)

test('what may be no slot by a quick look is none by all the rules', () => {
  let [slots, denied] = [0, 0]
  fc.assert(
    fc.property(line, (text) => {
      const isSlot = [readPlannedLine, readRemarked].some(
        (read) => read(text, codes).kind === 'slot',
      )
      const isLikely = mayBeSlot(text, codes)
      slots += Number(isSlot)
      denied += Number(!isLikely)
      expect(isLikely || !isSlot, text).toBe(true)
    }),
    { numRuns: 20_000 },
  )
  // Both are tried.
  expect(Math.min(slots, denied)).toBeGreaterThan(500)
})
