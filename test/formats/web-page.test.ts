import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linesOfPage } from '../../src/formats/import/text/web-page.ts'
import { readImport } from '../../src/formats/import/read-import.ts'
import { slotLabel } from '../../src/pool/slots.ts'

const anySlots = fc
  .uniqueArray(fc.integer({ min: 1, max: 6_000_000 }), { minLength: 2, maxLength: 8 })
  .map((ids) =>
    ids.map((id, at) => ({ mod: at % 2 === 0 ? 'NM' : 'HD', index: (at >> 1) + 1, id })),
  )
type Slots = readonly { readonly mod: string; readonly index: number; readonly id: number }[]

const link = (id: number): string =>
  `<a class="x" href="https://osu.ppy.sh/beatmapsets/7#osu/${id}">A &amp; B</a>`
const pages: Readonly<Record<string, (slots: Slots) => string>> = {
  'a table': (slots) =>
    `<!DOCTYPE html><html><head><title>75</title></head><body><script>var NM1 = 75 < 76;</script>
<h2>Finals</h2><table><tr><th>Slot</th><th>Map</th><th>SR</th></tr>${slots
      .map(
        ({ mod, index, id }) =>
          `<tr><td>${mod}${index}</td>\n<td>${link(id)}</td><td>6.2</td></tr>`,
      )
      .join('')}</table></body></html>`,
  'a table without end tags': (slots) =>
    `<h2>Finals</h2><table><tr><th>Slot<th>Map<th>SR${slots
      .map(({ mod, index, id }) => `<tr><td>${mod}${index}<td>${link(id)}<td>6.2`)
      .join('\n')}</table>`,
  'nested lists': (slots) =>
    `<h3>Finals</h3><ul>${['NM', 'HD']
      .map((code) => {
        const own = slots.filter(({ mod }) => mod === code)
        const name = code === 'NM' ? 'No Mod' : '<b>Hidden</b>'
        return own.length === 0
          ? ''
          : `<li>${name}<ol>${own.map(({ id }) => `<li>${link(id)}</li>`).join('\n')}</ol></li>`
      })
      .join('')}</ul>`,
  paragraphs: (slots) =>
    `<div><h1>Finals</h1>${slots.map(({ mod, index, id }) => `<p>${mod}${index}: ${link(id)}<br></p>`).join('')}</div>`,
}

describe('the source of a web page', () => {
  it.each(Object.entries(pages))('is read by its rows, lists and lines: %s', (_, write) => {
    fc.assert(
      fc.property(anySlots, (slots) => {
        const { pools, questions } = readImport(write(slots))
        expect(questions).toEqual([])
        expect(pools.map(({ name }) => name)).toEqual(['Finals'])
        const found = pools[0]!.draft.slots.map((slot) => `${slotLabel(slot)} ${slot.beatmapId}`)
        expect(found.toSorted()).toEqual(
          slots.map((slot) => `${slotLabel(slot)} ${slot.id}`).toSorted(),
        )
      }),
      { numRuns: 40 },
    )
  })

  it.each([
    ['<p>NM1 <b>75</b></p><p>x</p>', ['NM1 75', 'x'], [1, 1]],
    ['<table><tr><td>a<td>b</td></tr><tr><th>c<th>d<br>e</table>', ['a\tb', 'c\td e'], [1, 1]],
    ['<tr><td>a<p>b</p>c</td></tr>d', ['a bc', 'd'], [1, 1]],
    [
      '<ul><li>a<ol><li>b<li>c</ol></li><li>d</ul><li>e',
      ['- a', '  1. b', '  2. c', '- d', '- e'],
      [1, 1, 1, 1, 1],
    ],
    [`${'<ul>'.repeat(12)}<li>a`, [`${'  '.repeat(10)}- a`], [1]],
    ['<h1>A</h1><h4>B</h4>c', ['## A', '#### B', 'c'], [1, 1, 1]],
    [
      '<a href="https://a.example/?x=1&amp;y=2"> t <i>u</i></a> v',
      ['[t u](https://a.example/?x=1&y=2) v'],
      [1],
    ],
    ["<a href='http://a.example'>t<td>u", ['[t](http://a.example)u'], [1]],
    ['<a href=/b/75>t</a><a href=HTTPS://a.example>u', ['t[u](HTTPS://a.example)'], [1]],
    ['<p><script>75</script>a<style>b</style>c<template>d', ['ac'], [1]],
    ['<p>a<!-- b > c -->d<!e>f<!-- g', ['adf'], [1]],
    ['<p><s>a</s> <del>b</del> <strike>c', ['~~a~~ ~~b~~ ~~c'], [1]],
    ['<p>a < b <3 c> d<', ['a < b <3 c> d<'], [1]],
    ['<p>&lt;&gt;&quot;&apos;a&nbsp;b&ndash;&mdash;&hellip;', [`<>"'a b–—…`], [1]],
    ['<p>&#65;&#x42;&AMP;&foo;&#0;&#1114111;&#1114112;', ['AB&&foo;&#0;\u{10ffff}&#1114112;'], [1]],
    ['<p>a<br>b<br/>c\n\n  d', ['a', 'b', 'c d'], [1, 1, 1]],
    ['<div>a\n\n<p>b</p>\n</div>\nc', ['a', 'b', 'c'], [1, 3, 5]],
    ['<dl><dt>a<dd>b</dl><section>c<summary>d', ['a', 'b', 'c', 'd'], [1, 1, 1, 1]],
    ['<html>\n<head>x</head><li>a', ['- a'], [2]],
    // Within lines of its own, such as Markdown, only its elements are read so.
    [
      '# A\n\n- <b>NM</b>\n<table><tr><td>NM1</td><td>75</td></tr></table>\n- c',
      ['# A', '', '- <b>NM</b>', '', 'NM1\t75', '', '- c'],
      [1, 2, 3, 4, 4, 4, 5],
    ],
    ['NM1 12345\n<ul>\n<li>NM2</ul>\nNM3', ['NM1 12345', '', '- NM2', '', 'NM3'], [1, 2, 3, 3, 4]],
    ['<ul>\n</ul>\n1. a', ['', '', '1. a'], [1, 2, 3]],
    ['<ul>\n1. a</ul>\nNM1 12345', ['1. a', 'NM1 12345'], [2, 3]],
  ])('has these lines, each with that of the source: %j', (source, text, lines) => {
    expect(linesOfPage(source)).toEqual({ text: text.join('\n'), lines })
  })

  it('says of each slot on which line of the source it begins', () => {
    const { pools } = readImport(
      '<table>\n<tr><td>NM1</td>\n<td>75</td></tr>\n\n<tr>\n<td>NM2</td><td>76</td></tr></table>',
    )
    expect(
      pools[0]!.lines.flatMap(({ line, outcome }) => (outcome === 'slot' ? [line] : [])),
    ).toEqual([2, 6])
  })

  it.each(['p', 'div', 'li', 'dd', 'h3', 'td'])(
    'has each <%s> as a line, on one line of its source',
    (name) => {
      const link = (id: number): string => `<a href="https://osu.ppy.sh/b/${id}">Low Tide</a>`
      const lines = ['NM1: ', 'NM2: ', 'HD1: '].map(
        (label, at) => `<${name}>${label}${link(129891 + at)}</${name}>`,
      )
      const around = { li: ['<ul>', '</ul>'], dd: ['<dl>', '</dl>'], td: ['<table>', '</table>'] }[
        name
      ] ?? ['', '']
      const rows = name === 'td' ? lines.map((line) => `<tr>${line}</tr>`) : lines
      const { pools, questions } = readImport(`${around[0]}${rows.join('')}${around[1]}`)
      expect(questions).toEqual([])
      expect(
        pools.flatMap(({ draft }) =>
          draft.slots.map(({ mod, beatmapId }) => `${mod} ${beatmapId}`),
        ),
      ).toEqual(['NM 129891', 'NM 129892', 'HD 129893'])
    },
  )

  it('takes time in proportion to its length', () => {
    const start = '<table></table>'
    for (const part of [
      '<a ',
      '<script>',
      '<a href="https://a">b</a> ',
      '<!--',
      '<td>',
      '&amp;',
      '<ul><li>a',
    ]) {
      const { pools } = readImport(start + part.repeat(Math.ceil(50_000 / part.length)))
      expect(pools.flatMap(({ draft }) => draft.slots)).toEqual([])
    }
  })
})
