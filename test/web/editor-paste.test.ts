import { describe, expect, it } from 'vitest'
import { writeOsdb } from '../../src/formats/collection/osdb.ts'
import { completePool } from '../../src/pool/checks.ts'
import { encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import { slotLabel, slotsInPoolOrder } from '../../src/pool/slots.ts'
import { type Edit, editOf, emptyEdit, withDraft } from '../../src/web/editor/edit.ts'
import { type ImportRequest, readSource } from '../../src/web/editing/paste/read-source.ts'
import { numberingSystems } from '../support/numbering-systems.ts'
import { readBeatmap, readCode, readIndex } from '../../src/web/editing/fields.tsx'

const told = (edit: Edit): string[] =>
  slotsInPoolOrder(edit).map((slot) => `${slotLabel(slot)} ${slot.beatmapId}`)
const one = editOf({ name: 'Cup', slots: [{ mod: 'NM', index: 1, beatmapId: 1 }] })

const readAll = async (text: string, more: Partial<ImportRequest> = {}) => {
  const reply = await readSource({ source: { kind: 'text', text }, ...more })
  if (reply.kind !== 'read') throw new Error('it was not read')
  return reply.read
}
/** The first pool of a text, and what it makes of an edit. */
const readInto = async (edit: Edit, text: string, more: Partial<ImportRequest> = {}) => {
  const read = await readAll(text, { into: edit, ...more })
  const pool = read.pools[0]!
  return { ...pool, read, edit: withDraft(edit, pool.draft) }
}

describe('a link to a whole set at a slot (D-77)', () => {
  const text = 'NM1 https://osu.ppy.sh/beatmapsets/39804\nNM2 75'
  const source = { kind: 'text', text } as const

  it('is refused in a pack, which needs the difficulty, and planned in a round', async () => {
    const readFor = async (isOfRounds: boolean) => {
      const reply = await readSource({ source, isOfRounds })
      if (reply.kind !== 'read') throw new Error(reply.kind)
      const [pool] = reply.read.pools
      const { shown, refused, rest, count } = pool!.lines
      return {
        outcomes: shown.map(({ outcome }) => outcome),
        planned: pool!.planned,
        refused,
        rest,
        read: count.read,
      }
    }
    expect(await readFor(false)).toEqual({
      outcomes: ['refused', 'slot'],
      planned: [],
      refused: 1,
      rest: 'NM1 https://osu.ppy.sh/beatmapsets/39804',
      read: 1,
    })
    expect(await readFor(true)).toMatchObject({
      outcomes: ['planned', 'slot'],
      planned: ['NM1'],
      refused: 0,
    })
  })
})

describe('a paste', () => {
  it('is read without counting yet; what is refused stays', async () => {
    const pool = await readInto(one, 'NM2 2\nhttps://osu.ppy.sh/beatmapsets/1\nNM1 3\nHD1 4')
    expect(told(pool.edit)).toEqual(['NM1 1', 'NM2 2', 'HD1 4'])
    expect([pool.slots, pool.lines.refused]).toEqual([2, 2])
    expect(pool.lines.rest).toBe('https://osu.ppy.sh/beatmapsets/1\nNM1 3')
    expect(told(one)).toEqual(['NM1 1'])
  })

  it('may take the place of what there is, buckets kept', async () => {
    const buckets = [{ code: 'RC', color: 4, mods: { kind: 'free' as const } }]
    const edit = editOf({ name: 'Cup', buckets, slots: one.slots })
    const read = await readInto(edit, 'NM1 9\nRC1 8', { isReplacing: true })
    expect(told(read.edit)).toEqual(['NM1 9', 'RC1 8'])
    expect(read.edit.buckets).toContainEqual(buckets[0])
    expect(read.newBuckets).toEqual([])
  })

  it('says which custom buckets would be new, with the mods that are wanted', async () => {
    const text = 'HDHR1 75\nRC1 76\nSV1 77'
    const plain = await readInto(one, text)
    expect(plain.newBuckets).toMatchObject([
      { code: 'HDHR', mods: { kind: 'forced', set: ['HD', 'HR'] } },
      { code: 'RC' },
      { code: 'SV' },
    ])
    const mods = new Map([
      ['HDHR', null],
      ['RC', { kind: 'free' as const }],
    ])
    const { edit, newBuckets } = await readInto(one, text, { mods })
    expect(newBuckets.map((bucket) => bucket.mods)).toEqual([
      undefined,
      { kind: 'free' },
      undefined,
    ])
    expect(edit.buckets).toEqual(expect.arrayContaining([...newBuckets]))
  })

  it('offers all rounds of a text, each with a key of its own', async () => {
    const { pools } = await readAll('Semifinals\nNM1 75\nFinals\nNM1 76\nHD1 77')
    expect(pools.map(({ name, slots }) => [name, slots])).toEqual([
      ['Semifinals', 1],
      ['Finals', 2],
    ])
    expect(new Set(pools.map(({ key }) => key)).size).toBe(2)
  })

  it('shows a part of a long text, and counts the rest', async () => {
    const lines = Array.from({ length: 1_000 }, (_, at) => (at % 2 === 0 ? '' : `nothing ${at}`))
    const { pools, others } = await readAll(['NM1 75', ...lines].join('\n'))
    const all = [...pools.map((pool) => pool.lines), others]
    const sum = (of: (part: (typeof all)[number]) => number) =>
      all.reduce((total, part) => total + of(part), 0)
    expect(sum(({ shown }) => shown.length)).toBeLessThan(500)
    expect(sum(({ shown, more, moreRefused }) => shown.length + more + moreRefused)).toBe(1_001)
  })

  it('names each place once for a round that lines without a slot are about (D-83)', async () => {
    const refused = Array.from({ length: 500 }, (_, at) => `NM2 ${129_891 + at}`)
    const { pools } = await readAll(['NM2 75', ...refused].join('\n'))
    expect(pools.map(({ round }) => round.unread)).toEqual([[{ code: 'NM', index: 2 }]])
  })

  const pool = completePool({
    name: 'Theirs',
    buckets: [{ code: 'SV', color: 2, mods: { kind: 'forced', set: ['HD', 'DT'] } }],
    slots: [
      { mod: 'SV', index: 1, beatmapId: 5 },
      { mod: 'NM', index: 1, beatmapId: 6 },
    ],
  })

  it('opens a pack key, with its buckets and its name', async () => {
    const { edit } = await readInto(emptyEdit, `look: ${encodePackKey(pool)}`)
    expect(edit.name).toBe('Theirs')
    expect(edit.buckets).toEqual(pool.buckets)
    expect(told(edit)).toEqual(['NM1 6', 'SV1 5'])
  })

  it('leaves a pack key in the box once, whatever many of its slots are taken', async () => {
    const key = encodePackKey(pool)
    const others = pool.slots.map((slot) => ({ ...slot, beatmapId: slot.beatmapId + 1_000 }))
    const read = await readInto(editOf({ name: 'Cup', slots: others }), key)
    expect([read.slots, read.lines.refused, read.lines.rest]).toEqual([0, 2, key])
  })

  it('brings the buckets of a pack key in place of others', async () => {
    const { edit } = await readInto(one, encodePackKey(pool), { isReplacing: true })
    expect(told(edit)).toEqual(['NM1 6', 'SV1 5'])
    expect(edit.buckets).toEqual(pool.buckets)
  })
})

describe('what has no beatmap yet (D-77)', () => {
  it('is named for a pack, and kept for a round, with the buckets of each', async () => {
    const { pools } = await readAll('NM1 75\nRC1 TBA\nRC2 ???\nSV1 76')
    const { slots, planned, draft, newBuckets, round } = pools[0]!
    expect([slots, planned]).toEqual([2, ['RC1', 'RC2']])
    expect(draft.slots.map(({ beatmapId }) => beatmapId)).toEqual([75, 76])
    expect(newBuckets.map(({ code }) => code)).toEqual(['SV'])
    expect(round.newBuckets.map(({ code }) => code)).toEqual(['RC', 'SV'])
    expect(round.slots).toContainEqual({ mod: 'RC', index: 2, placeholder: '???' })
  })
})

describe('an answer', () => {
  const scarce = ['NM1 75', 'NM2 is open', 'NM3 is open', 'HD1 is open'].join('\n')
  const half = async (text: string, answers = new Map<string, 'a' | 'b' | 'c'>()) => {
    const { questions, pools } = await readAll(text, { answers })
    return { question: questions[0]!, slots: pools[0]!.slots, draft: pools[0]!.draft }
  }

  it('belongs to the question as it was put', async () => {
    const { question, draft } = await half(scarce)
    expect([question.id, question.answer, draft.slots.length]).toEqual(['half', null, 1])
    const yes = await half(scarce, new Map([[question.key, 'a']]))
    expect([yes.question.answer, yes.draft.slots.length]).toEqual(['a', 1])
    const no = await half(scarce, new Map([[question.key, 'b']]))
    expect([no.question.answer, no.slots, no.draft.slots.length]).toEqual(['b', 0, 0])
  })

  it('on the whole text is none on another text', async () => {
    const { question } = await half(scarce)
    const other = await half(scarce.replace('75', '76'), new Map([[question.key, 'a']]))
    expect(other.question.answer).toBeNull()
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

  it.each(numberingSystems)('take digits as %s has them', (system) => {
    const write = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false })
    expect(readIndex(write.format(97))).toEqual({ value: 97 })
    expect(readBeatmap(write.format(129_891))).toEqual({ value: 129_891 })
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
  const readFile = (content: Uint8Array, name: string) =>
    readSource({ source: { kind: 'file', name, bytes: content } })
  const poolsOf = async (content: Uint8Array, name: string) => {
    const reply = await readFile(content, name)
    return reply.kind === 'read' ? reply.read.pools : []
  }

  it('of lines or rows is a paste', async () => {
    const text = 'Slot,Beatmap ID\nNM1,75\n'
    expect(await readFile(bytes(`\ufeff${text}`), 'pool.csv')).toEqual({ kind: 'text', text })
  })

  it('of more than 1 MB of text is refused', async () => {
    const reply = await readFile(bytes('NM1 75\n'.repeat(150_000)), 'pool.txt')
    expect(reply).toEqual({ kind: 'refused', reason: expect.stringContaining('1 MB') })
  })

  it('of a bracket is read up to 4 MB, as the text of one is', async () => {
    const rounds = [{ Name: 'Finals', BestOf: 9, Beatmaps: [{ ID: 75, Mods: 'NM' }] }]
    const Teams = [{ FullName: 'x'.repeat(2_500_000) }]
    const text = JSON.stringify({ Teams, Rounds: rounds })
    for (const name of ['bracket.json', 'notes.txt']) {
      expect(await poolsOf(bytes(text), name)).toMatchObject([{ name: 'Finals', slots: 1 }])
    }
    const reply = await readSource({ source: { kind: 'text', text } })
    expect(reply).toMatchObject({ kind: 'read', read: { pools: [{ slots: 1 }], beatmapIds: [75] } })
  })

  it('of a bracket has a pool for each round that has beatmaps', async () => {
    const far = { ID: 9_999_999_999, Mods: 'HR' }
    const bracket = {
      Rounds: [
        { Name: 'Semifinals', Beatmaps: [{ ID: 1, Mods: 'NM' }, { ID: 2, Mods: 'HD' }, far] },
        { Name: 'Later', Beatmaps: [] },
        { Name: 'Finals', Beatmaps: [{ ID: 3, Mods: 'TB' }] },
      ],
    }
    const pools = await poolsOf(bytes(JSON.stringify(bracket)), 'bracket.json')
    expect(pools.map(({ name, draft }) => [name, told(editOf(draft))])).toEqual([
      ['Semifinals', ['NM1 1', 'HD1 2']],
      ['Finals', ['TB 3']],
    ])
    const reasons = pools[0]?.lines.shown.flatMap((line) =>
      line.outcome === 'refused' ? [line.reason] : [],
    )
    expect(reasons).toEqual([expect.stringContaining('must be from 1 to')])
  })

  it('of a pack as the API gives it keeps its buckets and its description', async () => {
    const pack = {
      name: 'Cup',
      description: 'Ours',
      buckets: [{ code: 'SV', color: 2, mods: { kind: 'free' } }],
      slots: [{ mod: 'SV', index: 4, beatmapId: 75 }],
    }
    const [pool] = await poolsOf(bytes(JSON.stringify({ pack })), 'pack.json')
    expect(pool).toMatchObject({ name: 'Cup', fields: { description: 'Ours' }, slots: 1 })
    const edit = withDraft(emptyEdit, pool!.draft)
    expect(told(edit)).toEqual(['SV4 75'])
    expect(edit.buckets).toContainEqual(pack.buckets[0])
  })

  it('of collections has a pool for each', async () => {
    const texts = { artist: '', title: '', difficulty: '', comment: '', checksum: 'a'.repeat(32) }
    const beatmap = { id: 75, setId: 1, stars: 1, ruleset: 'base' as const, ...texts }
    const collections = [{ name: 'Mine', onlineId: -1, beatmaps: [beatmap], hashes: [] }]
    const osdb = await writeOsdb(collections, { savedAt: 0, editor: 'Ada' })
    const [pool] = await poolsOf(osdb, 'mine.osdb')
    expect(pool).toMatchObject({ name: 'Mine', draft: { slots: [{ beatmapId: 75 }] } })
  })

  it('without beatmaps shows that there are none', async () => {
    const [pool] = await poolsOf(bytes('{"Rounds":[]}'), 'bracket.json')
    expect(pool?.lines.shown).toMatchObject([{ reason: expect.stringMatching(/No beatmap/) }])
  })

  it('that is damaged shows where', async () => {
    const [pool] = await poolsOf(bytes('{"Rounds":[}'), 'bracket.json')
    expect(pool?.lines.shown).toMatchObject([{ reason: expect.stringMatching(/line 1, column/) }])
  })

  it.each([
    ['a collection.db', new Uint8Array(8), 'collection.db', /by checksums alone/],
    ['a picture', Uint8Array.of(0x89, 0x50, 0, 0, 1, 2, 3, 4), 'a.png', /not supported/],
  ])('that is %s is refused with the reason', async (_, content, name, reason) => {
    expect(await readFile(content, name)).toEqual({
      kind: 'refused',
      reason: expect.stringMatching(reason),
    })
  })
})
