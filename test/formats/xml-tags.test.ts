import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { tagsOf } from '../../src/formats/import/files/xml-tags.ts'

const named: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
}
/** A character as XML may write it. */
const written = [
  (each: string) => named[each] ?? each,
  (each: string) => `&#${each.codePointAt(0)};`,
  (each: string) => `&#x${each.codePointAt(0)!.toString(16)};`,
  (each: string) => `&#X${each.codePointAt(0)!.toString(16).toUpperCase()};`,
]
const anyText = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom(...Object.keys(named), ' ', ';', '#'),
        fc.string({ unit: 'grapheme' }),
      ),
      fc.constantFrom(...written),
    ),
    { minLength: 1 },
  )
  .map((parts) => ({
    text: parts.map(([each]) => each).join(''),
    xml: parts.map(([each, write]) => Array.from(each, write).join('')).join(''),
  }))
  .filter(({ text }) => text !== '' && text.isWellFormed())

it('texts and attributes are read as they were before they were written', () => {
  fc.assert(
    fc.property(anyText, anyText, (text, attribute) => {
      const tags = [...tagsOf(`<a b="${attribute.xml}">${text.xml}</a>`)]
      expect(tags).toMatchObject([
        { kind: 'open', name: 'a', attributes: { b: attribute.text } },
        { kind: 'text', text: text.text },
        { kind: 'close', name: 'a' },
      ])
    }),
  )
})

it.each(['&nbsp;', '&;', '&#x110000;', '&#1114112;', '&#xzz;', 'R&B', '&amp'])(
  'what XML does not define is left as it is: %s',
  (text) => {
    expect([...tagsOf(text)].map((tag) => tag.text)).toEqual([text])
  },
)
