import { describe, expect, it } from 'vitest'
import { writeOsdb } from '../../src/formats/collection/osdb.ts'
import { completePool } from '../../src/pool/checks.ts'
import { encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import { slotLabel, slotsInPoolOrder } from '../../src/pool/slots.ts'
import { type Edit, editOf, emptyEdit } from '../../src/web/editor/edit.ts'
import { readInto } from '../../src/web/editor/paste/paste.ts'
import { readFile } from '../../src/web/editor/paste/read-file.ts'
import { readBeatmap, readCode, readIndex } from '../../src/web/editor/fields.tsx'

const told = (edit: Edit): string[] =>
  slotsInPoolOrder(edit).map((slot) => `${slotLabel(slot)} ${slot.beatmapId}`)
const one = editOf({ name: 'Cup', slots: [{ mod: 'NM', index: 1, beatmapId: 1 }] })

describe('a paste', () => {
  it('is read without counting yet; what is refused stays', () => {
    const read = readInto(one, 'NM2 2\nhello there\nNM1 3\nHD1 4', 'add')
    expect(told(read.edit)).toEqual(['NM1 1', 'NM2 2', 'HD1 4'])
    expect([read.added, read.refused]).toEqual([2, 2])
    expect(read.rest).toBe('hello there\nNM1 3')
    expect(told(one)).toEqual(['NM1 1'])
  })

  it('may take the place of what there is, buckets kept', () => {
    const buckets = [{ code: 'RC', color: 4, mods: { kind: 'free' as const } }]
    const edit = editOf({ name: 'Cup', buckets, slots: one.slots })
    const read = readInto(edit, 'NM1 9\nRC1 8', 'replace')
    expect(told(read.edit)).toEqual(['NM1 9', 'RC1 8'])
    expect(read.edit.buckets).toContainEqual(buckets[0])
  })

  const pool = completePool({
    name: 'Theirs',
    buckets: [{ code: 'SV', color: 2, mods: { kind: 'forced', set: ['HD', 'DT'] } }],
    slots: [
      { mod: 'SV', index: 1, beatmapId: 5 },
      { mod: 'NM', index: 1, beatmapId: 6 },
    ],
  })

  it('opens a pack key, with its buckets and its name', () => {
    const { edit } = readInto(emptyEdit, `look: ${encodePackKey(pool)}`, 'add')
    expect(edit.name).toBe('Theirs')
    expect(edit.buckets).toEqual(pool.buckets)
    expect(told(edit)).toEqual(['NM1 6', 'SV1 5'])
  })

  it('leaves a pack key in the box once, whatever many of its slots are taken', () => {
    const key = encodePackKey(pool)
    const read = readInto(editOf({ name: 'Cup', slots: pool.slots }), key, 'add')
    expect([read.added, read.refused, read.rest]).toEqual([0, 2, key])
  })

  it('brings the buckets of a pack key in place of others', () => {
    const { edit } = readInto(one, encodePackKey(pool), 'replace')
    expect(told(edit)).toEqual(['NM1 6', 'SV1 5'])
    expect(edit.buckets).toEqual(pool.buckets)
  })
})

describe('a field for a beatmap', () => {
  it.each([
    ['129891', 129_891],
    [' 129891 ', 129_891],
    ['https://osu.ppy.sh/b/75', 75],
    ['https://osu.ppy.sh/beatmapsets/1#taiko/75', 75],
    ['NM1 75', 75],
  ])('takes %j', (text, value) => expect(readBeatmap(text)).toEqual({ value }))

  it.each([
    ['hello', /No beatmap id/],
    ['https://osu.ppy.sh/beatmapsets/39804', /beatmap set/],
    ['1\n2', /beatmap id or link/],
    ['9999999999', /from 1 to/],
    ['# 75', /beatmap id or link/],
  ])('says why it does not take %j', (text, reason) => {
    expect(readBeatmap(text)).toEqual({ reason: expect.stringMatching(reason) })
  })
})

describe('fields for numbers and codes', () => {
  it('take numbers from 1 to 99 (spec 2.3)', () => {
    expect(readIndex(' 7 ')).toEqual({ value: 7 })
    for (const text of ['0', '100', '1.5', '-1', '1e1', '', 'x']) {
      expect(readIndex(text)).toEqual({ reason: 'Enter a number from 1 to 99.' })
    }
  })

  it('take codes that no other bucket has, ignoring case (D-21)', () => {
    const buckets = [...emptyEdit.buckets, { code: 'RC', color: 0 }]
    expect(readCode(' Sv ', buckets, null)).toEqual({ value: 'Sv' })
    expect(readCode('rc', buckets, 'RC')).toEqual({ value: 'rc' })
    expect(readCode('rc', buckets, null)).toEqual({ reason: 'Bucket RC already exists.' })
    expect(readCode('hd', buckets, 'RC')).toEqual({ reason: 'Bucket HD already exists.' })
    for (const text of ['', 'A B', '<b>', 'ABCDEFGHIJKLM']) {
      expect(readCode(text, buckets, null)).toHaveProperty('reason')
    }
  })
})

describe('a file', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
  const poolsOf = async (content: Uint8Array, name: string) => {
    const read = await readFile(content, name)
    return read.kind === 'pools' ? read.pools : []
  }

  it('of lines or rows is a paste', async () => {
    const text = 'Slot,Beatmap ID\nNM1,75\n'
    expect(await readFile(bytes(`\ufeff${text}`), 'pool.csv')).toEqual({ kind: 'text', text })
  })

  it('of a bracket has a pool for each round that has beatmaps', async () => {
    const bracket = {
      Rounds: [
        { Name: 'Semifinals', Beatmaps: [{ ID: 1, Mods: 'NM' }, { ID: 2, Mods: 'RC1' }, {}] },
        { Name: 'Later', Beatmaps: [] },
        { Name: 'Finals', Beatmaps: [{ ID: 3, Mods: 'TB' }] },
      ],
    }
    const pools = await poolsOf(bytes(JSON.stringify(bracket)), 'bracket.json')
    expect(pools.map(({ name, text }) => [name, text])).toEqual([
      ['Semifinals', 'NM1 1\nRC1 1 2'],
      ['Finals', 'TB 3'],
    ])
    expect(pools[0]?.leftOut).toEqual([expect.stringContaining('beatmap 3: "ID" is missing')])
  })

  it('of a pack as the API gives it keeps its buckets and its description', async () => {
    const pack = {
      name: 'Cup',
      description: 'Ours',
      buckets: [{ code: 'SV', color: 2, mods: { kind: 'free' } }],
      slots: [{ mod: 'SV', index: 4, beatmapId: 75 }],
    }
    const [pool] = await poolsOf(bytes(JSON.stringify({ pack })), 'pack.json')
    expect(pool).toMatchObject({ name: 'Cup', description: 'Ours', beatmaps: 1 })
    const { edit } = readInto(emptyEdit, pool?.text ?? '', 'add')
    expect(told(edit)).toEqual(['SV4 75'])
    expect(edit.buckets).toContainEqual(pack.buckets[0])
  })

  it('of collections has a pool for each', async () => {
    const texts = { artist: '', title: '', difficulty: '', comment: '', checksum: 'a'.repeat(32) }
    const beatmap = { id: 75, setId: 1, stars: 1, ruleset: 'base' as const, ...texts }
    const collections = [{ name: 'Mine', onlineId: -1, beatmaps: [beatmap], hashes: [] }]
    const osdb = await writeOsdb(collections, { savedAt: 0, editor: 'Ada' })
    expect(await poolsOf(osdb, 'mine.osdb')).toMatchObject([{ name: 'Mine', text: '75' }])
  })

  it.each([
    ['a collection.db', new Uint8Array(8), 'collection.db', /by checksums alone/],
    ['a picture', Uint8Array.of(0x89, 0x50, 0, 0, 1, 2, 3, 4), 'a.png', /not supported/],
    ['a bracket without beatmaps', bytes('{"Rounds":[]}'), 'bracket.json', /no pool in the file/],
    ['a damaged bracket', bytes('{"Rounds":[}'), 'bracket.json', /line 1, column/],
  ])('that is %s is refused with the reason', async (_, content, name, reason) => {
    await expect(readFile(content, name)).rejects.toThrow(reason)
  })
})
