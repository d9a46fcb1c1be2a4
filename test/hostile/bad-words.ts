import { slurs } from '../../src/domain/slurs/slurs.ts'
import { aPack } from '../support/samples.ts'
import { badBody, type BadCase } from './case.ts'

/** A word that the rule refuses, taken from its list, so that it need not stand here as well. */
const word = slurs.find(({ stem }) => /^[a-z]{5,9}$/.test(stem))?.stem ?? ''
/** Fits into a code, and is read as the word. */
const shouted = word.toUpperCase()
const slot = { mod: 'NM', index: 1, beatmapId: 75 }

const refused = (title: string, body: unknown, place: string): BadCase => ({
  ...badBody(title, body, `${place} must not contain a slur`),
  secret: word,
})

/** A slur anywhere that people read: the field is named, the word is not repeated (D-24). */
export const badWords: readonly BadCase[] = [
  refused('a slur as a name', aPack({ name: word }), 'name'),
  refused('a slur within a name', aPack({ name: `Cup of the ${shouted}s, day 2` }), 'name'),
  refused('a slur letter by letter', aPack({ name: Array.from(word).join(' ') }), 'name'),
  refused('a slur in wide letters', aPack({ name: wide(word) }), 'name'),
  refused(
    'a slur with something invisible',
    aPack({ name: Array.from(word).join('\u200b') }),
    'name',
  ),
  refused('a slur in a description', aPack({ description: `first line\n${word}` }), 'description'),
  refused(
    'a slur as a custom code',
    aPack({
      buckets: [
        { code: 'RC', color: 0 },
        { code: shouted, color: 1 },
      ],
    }),
    'buckets[1].code',
  ),
  refused(
    'a slur as a code, twice: the message about the second does not repeat it',
    aPack({
      buckets: [
        { code: word, color: 0 },
        { code: word, color: 1 },
      ],
    }),
    'buckets[0].code',
  ),
  refused(
    'a slur as a code that is already there in another case',
    aPack({ buckets: [{ code: word, color: 0 }], slots: [{ ...slot, mod: shouted }] }),
    'buckets[0].code',
  ),
  refused(
    "a slur as a slot's mod",
    aPack({ slots: [slot, { ...slot, mod: word }] }),
    'slots[1].mod',
  ),
  refused(
    "a slur as a slot's mod where there is no room for another bucket",
    aPack({
      slots: [...'abcdefgh'.split(''), word].map((mod) => ({ ...slot, mod })),
    }),
    'slots[8].mod',
  ),
]

function wide(text: string): string {
  return text.replaceAll(/[a-z]/g, (letter) =>
    String.fromCodePoint(0xff41 + letter.charCodeAt(0) - 97),
  )
}
