import { describe, expect, it } from 'vitest'
import { cleanLines } from '../../src/formats/import/text/clean-lines.ts'
import {
  notesOfChanges,
  withoutChanges,
  withoutFences,
  withoutQuotes,
  withReferences,
} from '../../src/formats/import/text/markup.ts'
import { BucketCodes } from '../../src/formats/import/words/labels.ts'
import { emptyDraft } from './pasted-text.ts'
import { readingCases, wholeReading } from './whole-readings.ts'

const codes = new BucketCodes(emptyDraft)

describe('a text without its markup keeps its lines', () => {
  it.each([
    ['```\nNM1 75\n```', '\nNM1 75\n'],
    ['~~~text\nNM1 75\n~~~', '\nNM1 75\n'],
    ['  ````json\n> ```\n', '  \n> \n'],
    // What follows the sign may be a heading, where it can be no language.
    ['```NM\n75\n```', 'NM\n75\n'],
    ['```Finals\nNM1 75\n```', 'Finals\nNM1 75\n'],
    ['```nm1\n75\n```', 'nm1\n75\n'],
    ['```nm\n75\n```', '\n75\n'],
    ['```Text\n75\n```', '\n75\n'],
    ['```[{"id": 75}]```', '[{"id": 75}]'],
    ['`{"NM1": 75}`', '{"NM1": 75}'],
    ['```json {"NM1": 75};```', '{"NM1": 75};'],
    ['<pre>\nNM1 75\n</pre>', '\nNM1 75\n'],
    ['<code class="x">NM1 75</code>', 'NM1 75'],
    ['[code=txt]NM1 75[/code]', 'NM1 75'],
    ['`NM1` 75', '`NM1` 75'],
    // A change is as it is after it.
    [
      '```diff\n@@ -1 +1 @@\n-NM1 75\n+NM1 76\n NM2 77\n```\n-NM3 78',
      '\n\n\nNM1 76\n NM2 77\n\n-NM3 78',
    ],
    ['```\ndiff\n-NM1 75\n```', '\ndiff\n-NM1 75\n'],
  ])('of blocks of code: %j', (text, plain) => {
    expect(withoutFences(text, codes)).toBe(plain)
  })

  const link = 'https://osu.ppy.sh/b/75'

  it.each([
    [`[Low Tide][1]\n\n[1]: ${link}`, `[Low Tide](${link})\n\n`],
    [`[Low Tide][]\n[low  tide]: <${link}> "Title"`, `[Low Tide](${link})\n`],
    [`[Low [Extra]][a]\n[A]: ${link} (Title)`, `[Low [Extra]](${link})\n`],
    [`[Low Tide] [1]\n> [1]: b/75 'Title'`, '[Low Tide](b/75)\n'],
    // What nobody uses stays, and so does what leads elsewhere.
    [`[Low Tide][2]\n[1]: ${link}`, `[Low Tide][2]\n[1]: ${link}`],
    ['[Low Tide][1]\n[1]: https://a.example/', '[Low Tide][1]\n[1]: https://a.example/'],
    [`[Low Tide][1](x)\n[1]: ${link}`, `[Low Tide][1](x)\n[1]: ${link}`],
  ])('of links whose addresses are elsewhere: %j', (text, plain) => {
    expect(withReferences(text)).toBe(plain)
  })

  it.each([
    ['> NM\n> 75', 'NM\n75'],
    ['> > NM\n> > 75', 'NM\n75'],
    ['>>>>> NM\n>>>>> 75', '> NM\n> 75'],
    ['>NM\n\n> 75', 'NM\n\n75'],
    ['> NM\n75', '> NM\n75'],
    ['> NM1 75', 'NM1 75'],
    ['    NM\n     75', 'NM\n 75'],
    ['    NM\n}\n    75', 'NM\n}\n75'],
    ['    NM\n   75', '    NM\n   75'],
    ['   NM\n   75', '   NM\n   75'],
  ])('of quotations and code: %j', (text, plain) => {
    expect(withoutQuotes(text)).toBe(plain)
  })

  it.each([
    ['-NM1 75\n+NM1 76\n NM2 77', '\nNM1 76\nNM2 77'],
    ['@@ -1 +1 @@\n-old 75\n+NM1 76', '\n\nNM1 76'],
    ['--- a\n+++ b\n-NM1 75\n+NM2 76', '\n\n\nNM2 76'],
    // Bullets of both signs are no change.
    ['-NM1 75\n+NM2 76', '-NM1 75\n+NM2 76'],
    ['- NM1 75\n+ NM1 76\n- NM2 77', '\nNM1 76\n- NM2 77'],
    ['-tb 75\r\n+TB 76', '-tb 75\n+TB 76'],
    ['-NM1 75\nNM2 76', '-NM1 75\nNM2 76'],
    ['-NM1 75\n+NM1 76\nNM2 77', '\nNM1 76\nNM2 77'],
  ])('of a change: %j', (text, plain) => {
    expect(withoutChanges(text)).toBe(plain)
  })

  it('and notes what a change takes out', () => {
    const text = '--- a/1234\n-NM1 129891\n+NM1 129892\n-HD1 x'
    const notes = notesOfChanges(text, withoutChanges(text))
    expect(JSON.stringify(notes)).toContain('NM1 129891')
    expect(JSON.stringify(notes)).not.toMatch(/129892|HD1|1234/)
    expect(notesOfChanges(text, text)).toEqual([])
    expect(notesOfChanges('+NM1 129891', 'NM1 129891')).toEqual([])
  })
})

describe('a line says what it means', () => {
  it.each([
    // Thousands that are separated.
    ['NM1 4,392,947', 'NM1 4392947'],
    ['NM1 129,891', 'NM1 129891'],
    ['NM1: 4.392.947', 'NM1: 4392947'],
    ["NM1 4'392'947", 'NM1 4392947'],
    ['NM1 4_392_947', 'NM1 4392947'],
    ['NM1 4 392 947', 'NM1 4392947'],
    ['NM1 4\u00a0392\u202f947', 'NM1 4392947'],
    ['NM1 129.891', 'NM1 129.891'],
    ['129,891', '129,891'],
    ['NM1, 129,891', 'NM1, 129,891'],
    ['NM1 129,891,75', 'NM1 129,891,75'],
    ['NM1 129,891,a', 'NM1 129,891,a'],
    ['NM1 129,891, a', 'NM1 129891, a'],
    // What is played with it.
    ['FM2 129891 +HDHR', 'FM2 129891'],
    ['FM2 129891 +HDHR ', 'FM2 129891 '],
    ['FM2 129891 +XX', 'FM2 129891 +XX'],
    ['FM2 129891 +HDHR Ada', 'FM2 129891 +HDHR Ada'],
    ['NM1, NM2: 129891', 'NM1 & NM2: 129891'],
    ['NM1, NM2, NM3 = 129891', 'NM1, NM2, NM3 = 129891'],
    ['NM1, NM2 129891', 'NM1, NM2 129891'],
    // A link that was broken at a slash.
    ['NM1 https://osu.ppy.sh/\nb/75\n', 'NM1 https://osu.ppy.sh/b/75\n\n'],
    ['NM1 osu.ppy.sh/beatmapsets/\n 1#osu/75', 'NM1 osu.ppy.sh/beatmapsets/1#osu/75\n'],
    ['NM1 https://osu.ppy.sh/b/\nNM2', 'NM1 https://osu.ppy.sh/b/\nNM2'],
    // One without an end, among ids in lines of their own.
    ['NM\nosu.ppy.sh/b/\n129891\n129892', 'NM\nosu.ppy.sh/b/\n129891\n129892'],
    // Emoji and mentions of a chat.
    ['<:NM1:123456789012345678> 129891', ' NM1  129891'],
    ['<a:star:123456789012345678> NM1 129891', '  NM1 129891'],
    ['<@!123456789012345678> NM1 129891', '  NM1 129891'],
    ['<#123456789012345678> 129891', '  129891'],
    ['<@123> NM1 129891', '<@123> NM1 129891'],
  ])('%j', (text, plain) => {
    expect(cleanLines(text)).toBe(plain)
  })
})

describe('all that is read of a text in the marks of others', () => {
  it.each(readingCases((file) => file === 'markup.txt'))('$name', ({ text, reading }) => {
    expect(wholeReading(text)).toBe(reading)
  })
})
