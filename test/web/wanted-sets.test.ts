import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BeatmapDetails } from '../../src/contract/beatmaps.ts'
import { fileStem } from '../../src/pool/text.ts'
import { linkedSlots, wantedSets } from '../../src/web/maps/wanted-sets.ts'
import { type SlotView, slotViews } from '../../src/web/pool/slots.ts'

type Known = { readonly set: number; readonly artist: string; readonly title: string }

const viewsOf = (all: readonly (Known | null)[]): SlotView[] => {
  const slots = all.map((_, at) => ({ mod: 'NM', index: at + 1, beatmapId: at + 1 }))
  return slotViews({ slots }, new Map()).map((view, at) => {
    const known = all[at]
    if (!known) return view
    const { set: setId, ...names } = known
    const details = { setId, difficulty: 'Insane', ...names } as unknown as BeatmapDetails
    return { ...view, beatmap: { state: 'known', details, stars: 5 } }
  })
}

/** What people and the platform may have in a title. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    'CON',
    'nul.tar',
    'COM¹',
    'aux  .b',
    'CONIN$',
    '../../etc/passwd',
    'C:\\x',
    'a'.repeat(300),
    '春'.repeat(120),
    '👩‍👩‍👧‍👦'.repeat(30),
    'שלום \u202egnp.exe',
    'e\u0301',
    'é',
    '\ud800',
    'x\udfff',
    '...',
    ' ',
  ),
)
/** 0: a beatmap in no set. */
const known = fc.record({ set: fc.integer({ min: 0, max: 30 }), artist: text, title: text })
const pool = fc.array(fc.option(known, { freq: 5 }), { maxLength: 256 })

describe('the sets of a pool', () => {
  it('are each wanted once, in pool order, with all of their slots', () => {
    fc.assert(
      fc.property(pool, (all) => {
        const sets = wantedSets(viewsOf(all))
        const order = [...new Set(all.flatMap((each) => each?.set || []))]
        expect(sets.map(({ id }) => id)).toEqual(order)
        const labels = sets.flatMap(({ label }) => label.split(/, | and /)).toSorted()
        const expected = all.flatMap((each, at) => (each?.set ? `NM${at + 1}` : [])).toSorted()
        expect(labels).toEqual(expected)
      }),
    )
  })

  it('have names that sort as the pool does, and that every file system takes, whatever the titles are', () => {
    fc.assert(
      fc.property(pool, (all) => {
        const names = wantedSets(viewsOf(all)).map(({ name }) => name)
        expect(names).toEqual(names.toSorted())
        const folded = names.map((name) => name.normalize('NFKC').toLowerCase())
        expect(new Set(folded).size).toBe(names.length)
        for (const name of names) {
          expect(name).toMatch(
            /^\d+ NM\d+ [^\\/:*?"<>|\p{Cc}\u202a-\u202e\u2066-\u2069]*[^.\s]\.osz$/u,
          )
          expect(name.isWellFormed()).toBe(true)
          expect(name.length).toBeLessThanOrEqual(104)
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(204)
        }
      }),
    )
  })

  it('are cut between characters as readers see them', () => {
    const [set] = wantedSets(viewsOf([{ set: 1, artist: 'a', title: '👩‍👩‍👧‍👦'.repeat(30) }]))
    expect(set!.name).toMatch(/^1 NM1 1 a - (👩‍👩‍👧‍👦)+\.osz$/u)
  })
})

describe('links of hosts', () => {
  const round = [
    { mod: 'NM', index: 1, beatmapId: 1, link: 'https://files.example/1' },
    { mod: 'NM', index: 2, beatmapId: 2, link: 'https://files.example/2' },
    { mod: 'NM', index: 3, beatmapId: 99, link: 'https://files.example/99' },
    { mod: 'TB', index: 1, placeholder: 'due Sunday', link: 'https://files.example/tb' },
    { mod: 'NM', index: 4, placeholder: 'due Monday' },
  ]

  it('belong to the set of their beatmap, and to no other (D-77)', () => {
    const views = viewsOf([
      { set: 7, artist: 'a', title: 'b' },
      { set: 7, artist: 'a', title: 'b' },
      { set: 8, artist: 'a', title: 'b' },
    ])
    expect(wantedSets(views, round).map(({ id, links }) => [id, links])).toEqual([
      [7, ['https://files.example/1', 'https://files.example/2']],
      [8, []],
    ])
  })

  it('of slots without a beatmap are named with what is planned', () => {
    expect(linkedSlots(round)).toEqual([
      { label: 'TB', title: 'due Sunday', link: 'https://files.example/tb' },
    ])
  })
})

describe('the name of a file about a pool', () => {
  it('is one that every file system takes, whatever the pool is called', () => {
    fc.assert(
      fc.property(text, (name) => {
        const stem = fileStem(name)
        expect(stem).toMatch(/^[^\\/:*?"<>|\p{Cc}\u202a-\u202e\u2066-\u2069]*[^.\s]$/u)
        // As Windows reads a name: what follows the first dot, and spaces before it, do not count.
        const [device = ''] = `${stem}.zip`.split('.')
        expect(device.trimEnd()).not.toMatch(
          /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³])$/i,
        )
        expect(stem.isWellFormed()).toBe(true)
      }),
    )
  })
})
