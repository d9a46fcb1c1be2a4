import { type Language, languages } from '#texts/languages'
import { type SiteTexts, textsIn } from '../../src/site/language.ts'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KnownSlot } from '../../src/contract/page-data.ts'
import { asOperator } from '../../src/domain/moderation.ts'
import { releaseRound } from '../../src/operations/releases.ts'
import { moderateTournament } from '../../src/operations/tournaments.ts'
import { drawPool } from '../../src/site/preview/draw-pool.ts'
import { openFonts } from '../../src/site/preview/fonts.ts'
import { poolSceneOf } from '../../src/site/preview/pool-scene.ts'
import { slotColors } from '../../src/site/preview/scene.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
import type { Browser } from '../support/browser.ts'
import { openTournament } from '../support/public-tournament.ts'
import { aPack, slots } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let owner: Browser
let host: Browser

beforeAll(async () => {
  house = await openSiteHouse()
  owner = await house.signedIn(7001)
  host = await house.signedIn(7002, 'pools')
})
afterAll(() => house.close())

const pixelsOf = async (png: Buffer) => {
  const image = await loadImage(png)
  const { width, height } = image
  const context = createCanvas(width, height).getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, width, height)
  return { width, height, bytes: Buffer.from(data.buffer) }
}

const countOf = (bytes: Buffer, color: string): number => {
  const pixels = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  const wanted = Buffer.from(`${color.slice(1)}ff`, 'hex').readUInt32LE()
  return pixels.reduce((count, pixel) => (pixel === wanted ? count + 1 : count), 0)
}

const ask = async (service: 'packs' | 'pools', path: string) => {
  const response = await fetch(house.urls[service] + path)
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe('GET /p/{slug}/pool.png', () => {
  it('is a table of 1,200 pixels with a row for each slot in the colour of its bucket', async () => {
    const slug = await house.save(owner, aPack({ visibility: 'public', slots: slots(18) }))
    const { response, bytes } = await ask('packs', `/p/${slug}/pool.png`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(response.headers.get('etag')).toMatch(/^"[\w-]{27}"$/)
    const { width, bytes: pixels } = await pixelsOf(bytes)
    expect(width).toBe(1_200)
    const colorOf = slotColors(null)
    for (const mod of ['NM', 'HD', 'HR', 'DT', 'FM', 'TB']) {
      expect(countOf(pixels, colorOf(mod)), mod).toBeGreaterThan(1_000)
    }
  })

  it('has twice the pixels with ?scale=2, and the usual ones with any other', async () => {
    const slug = await house.save(owner, aPack({ visibility: 'unlisted', slots: slots(3) }))
    const sizes: [number, number][] = []
    for (const query of ['', '?scale=1', '?scale=2', '?scale=3', '?scale=2&scale=2']) {
      const { bytes } = await ask('packs', `/p/${slug}/pool.png${query}`)
      const { width, height } = await pixelsOf(bytes)
      sizes.push([width, height])
    }
    const usual = sizes[0]!
    expect(sizes).toEqual([usual, usual, usual.map((each) => 2 * each), usual, usual])
  })

  it('is the same 404 for everybody where not everybody may read the pack', async () => {
    const slug = await house.save(owner, aPack({ visibility: 'private' }))
    expect((await owner.send('GET', `/p/${slug}/pool.png`)).status).toBe(404)
    expect((await ask('packs', '/p/none------/pool.png')).response.status).toBe(404)
  })

  it('holds 64 slots, and stays small enough to be posted', async () => {
    const slug = await house.save(owner, aPack({ visibility: 'public', slots: slots(64) }))
    const { bytes } = await ask('packs', `/p/${slug}/pool.png?scale=2`)
    expect((await pixelsOf(bytes)).width).toBe(2_400)
    expect(bytes.length).toBeLessThan(2_000_000)
  })
})

describe('GET /t/{slug}/{round}/pool.png', () => {
  const planned = { mod: 'TB', index: 1, placeholder: 'due Sunday' }
  const open = async () => {
    house.clock.nextMinute()
    const rounds = [{ name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 75 }, planned] }]
    const { id } = host.viewer!
    const made = await openTournament(house.ports, id, {}, rounds)
    const [round] = made.rounds
    const path = `/t/${made.slug}/${round!.id}/pool.png`
    const release = () =>
      releaseRound(house.ports, id, made.slug, round!.id, { at: 'now', incomplete: true })
    return { slug: made.slug, path, release }
  }

  it('is there from the release on, with the slots that have no beatmap yet (D-78)', async () => {
    const { path, release } = await open()
    expect((await host.send('GET', path)).status).toBe(404)
    await release()
    const { response, bytes } = await ask('pools', path)
    expect(response.status).toBe(200)
    expect(countOf((await pixelsOf(bytes)).bytes, slotColors(null)('TB'))).toBeGreaterThan(1_000)
  })

  it('is gone for everybody once the tournament is hidden', async () => {
    const { slug, path, release } = await open()
    await release()
    await moderateTournament(house.ports, slug, 'hide', asOperator('spam'))
    expect((await ask('pools', path)).response.status).toBe(404)
    expect((await host.send('GET', path)).status).toBe(404)
  })
})

describe('what a table shows', () => {
  const about = { name: 'Finals', line: 'Some Cup', scale: 1 } as const
  const known = (id: number, changes: Partial<KnownSlot> = {}): KnownSlot => ({
    id,
    mods: [],
    state: 'known',
    stars: 6.126,
    details: { ...aBeatmap(id), circleSize: 4, approachRate: 9, overallDifficulty: 8 },
    ...changes,
  })

  it('slots in pool order (D-20), each as it is played: length, BPM, CS, AR and OD with its mods', () => {
    const slots = [
      { mod: 'DT', index: 1, beatmapId: 2 },
      { mod: 'NM', index: 1, beatmapId: 1 },
    ]
    const details = { ...known(2).details!, length: 258, bpm: 222.22 }
    const beatmaps = [known(1), known(2, { mods: ['DT'], stars: 8.1, details })]
    const { rows } = poolSceneOf({ slots }, beatmaps, about, textsIn('en'))
    expect(rows.map(({ label, stars }) => [label, stars])).toEqual([
      ['NM1', '6.13'],
      ['DT1', '8.10'],
    ])
    expect(rows[1]?.values).toEqual(['2:52', '333', '4', '10.3', '9.8'])
  })

  it.each(Object.keys(languages) as Language[])('numbers as %s has them (D-107)', (language) => {
    const slots = [{ mod: 'DT', index: 1, beatmapId: 2 }]
    const found = [known(2, { mods: ['DT'], stars: 8.126 })]
    const numbersOf = (texts: SiteTexts) => {
      const [row] = poolSceneOf({ slots }, found, about, texts).rows
      return [row?.stars, ...(row?.values ?? [])].join(' ')
    }
    const english = numbersOf(textsIn('en'))
    const point = new Intl.NumberFormat(language).format(1.5).charAt(1)
    expect(english).toContain('8.13')
    expect(numbersOf(textsIn(language))).toBe(english.replaceAll('.', point))
  })

  it('the keys of mania, and neither CS nor AR where a ruleset has none', () => {
    const slots = [
      { mod: 'NM', index: 1, beatmapId: 1 },
      { mod: 'NM', index: 2, beatmapId: 2 },
    ]
    const beatmaps = (['mania', 'taiko'] as const).map((ruleset, at) =>
      known(at + 1, { details: { ...known(at + 1).details!, ruleset, circleSize: 7 } }),
    )
    const { rows } = poolSceneOf({ slots }, beatmaps, about, textsIn('en'))
    expect(rows.map(({ values }) => values.slice(2, 4))).toEqual([
      ['7K', ''],
      ['', ''],
    ])
  })

  it('what is planned for a slot without a beatmap (D-77), and what is unknown or gone', () => {
    const details = { title: 'Reef', artist: 'Nine Rivers', mapper: 'Ada' }
    const slots = [
      { mod: 'NM', index: 1, placeholder: 'due Sunday' },
      { mod: 'NM', index: 2, details },
      { mod: 'NM', index: 3 },
      { mod: 'NM', index: 4, beatmapId: 4 },
      { mod: 'NM', index: 5, beatmapId: 5 },
    ]
    const beatmaps: KnownSlot[] = [{ id: 5, mods: [], state: 'gone' }]
    const { rows } = poolSceneOf({ slots }, beatmaps, about, textsIn('en'))
    expect(
      rows.map(({ title, line, mapper, isPlanned }) => [title, line, mapper, isPlanned]),
    ).toEqual([
      ['due Sunday', '', '', true],
      ['Reef', 'Nine Rivers', 'Ada', true],
      ['To be announced', '', '', true],
      ['Beatmap 4', '', '', false],
      ['Beatmap 5', 'Not found', '', false],
    ])
  })

  it.each(['WWWWWWWWWWWW', 'Reserves', '春夏秋冬春夏秋冬春夏秋冬', 'ЖЖЖЖЖЖЖЖЖЖЖЖ'])(
    'the slots of %s apart: no label is cut',
    async (code) => {
      const pool = {
        buckets: [{ code, name: 'Own', color: 1 as const }],
        slots: [{ mod: code, index: 1, beatmapId: 1 }],
      }
      const scene = poolSceneOf(pool, [], { name: 'Cup', line: 'by Ada', scale: 1 }, textsIn('en'))
      const fonts = openFonts()
      const brand = { name: 'Mapcrate', logo: null }
      const [row] = scene.rows
      const drawn = [1, 2, 12, 13].map((index) =>
        drawPool({ ...scene, rows: [{ ...row!, label: `${code}${index}` }] }, fonts, brand),
      )
      expect(new Set(drawn.map(String)).size).toBe(drawn.length)
    },
  )

  it('no directional formatting that names of before may have (D-47)', () => {
    const { name, line } = poolSceneOf(
      { slots: [] },
      [],
      { ...about, name: '\u202ecup\u2069' },
      textsIn('en'),
    )
    expect([name, line]).toEqual(['cup', 'Some Cup'])
  })
})
