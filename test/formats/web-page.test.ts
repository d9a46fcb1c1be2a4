import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
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

  it('says of each slot on which line of the source it begins', () => {
    const { pools } = readImport(
      '<table>\n<tr><td>NM1</td>\n<td>75</td></tr>\n\n<tr>\n<td>NM2</td><td>76</td></tr></table>',
    )
    expect(
      pools[0]!.lines.flatMap(({ line, outcome }) => (outcome === 'slot' ? [line] : [])),
    ).toEqual([2, 6])
  })

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
