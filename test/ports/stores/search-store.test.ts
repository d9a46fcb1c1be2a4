import { beforeEach, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import examples from '../../../src/contract/examples.json' with { type: 'json' }
import type { Stats } from '../../../src/contract/packs.ts'
import type { NewPack, SavedPack } from '../../../src/domain/packs.ts'
import type { PackFilter } from '../../../src/contract/pack-filter.ts'
import type { Condition, Term } from '../../../src/domain/search.ts'
import type { PackSearch } from '../../../src/ports/search.ts'
import { aBeatmap, keepPublic } from '../../support/a-beatmap.ts'
import { toIndexedPack } from '../../support/memory-public-index.ts'
import { aNewPack } from '../sample-pack.ts'
import { type Describe, describePack, noFilter, updateAll } from '../search-steps.ts'
import { addOwners, type TempStore, withStore } from '../temp-store.ts'

const termsOf = (kind: 'name' | 'text' | 'any' | 'pair', ...words: string[]): Condition =>
  words.map((word): Term[] => [{ kind, word }])

describe('SearchStore', () => {
  let store: TempStore
  let one: Stores
  let two: Stores

  withStore(beforeEach, async (opened) => {
    ;({ store, one, two } = opened)
    await addOwners(one)
  })

  const save = async (name: string, changes: Partial<NewPack> = {}): Promise<SavedPack> => {
    const creation = await one.packs.create(aNewPack({ name, ...changes }), null)
    if (creation.outcome !== 'created') throw new Error(creation.outcome)
    return creation.pack
  }
  const replace = (slug: string, changes: Partial<SavedPack>) =>
    one.packs.replace(slug, 'owner', (pack) => ({ ...pack, ...changes }))
  const search = (match: Condition, changes: Partial<PackSearch> = {}) =>
    two.search.find({
      match,
      except: [],
      filter: noFilter,
      after: null,
      limit: 10,
      ...changes,
    })
  const namesOf = async (match: Condition, changes: Partial<PackSearch> = {}) =>
    (await search(match, changes)).packs.map(({ name }) => name)

  it('finds packs by their words where they are, newest created first, as the index shows them', async () => {
    const first = await save('Harbour Lights', { description: 'Nightfall' })
    const second = await save('Nightfall Harbour')
    await save('Other')
    await updateAll(two)
    expect((await search(termsOf('name', 'harbour'))).packs).toEqual(
      [second, first].map(toIndexedPack),
    )
    expect(await namesOf(termsOf('name', 'nightfall'))).toEqual(['Nightfall Harbour'])
    expect(await namesOf(termsOf('text', 'nightfall', 'harbour'))).toHaveLength(2)
    expect(await namesOf(termsOf('pair', 'harbour lights'))).toEqual(['Harbour Lights'])
    expect(await namesOf(termsOf('pair', 'harbourl ights'))).toEqual([])
    expect(await namesOf([])).toEqual(['Other', 'Nightfall Harbour', 'Harbour Lights'])
    expect(await namesOf(termsOf('any', 'nowhere'))).toEqual([])
  })

  it('finds them by their maps, once they are known, and by ids', async () => {
    const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }]
    const pack = await save('Week 1', { slots })
    await updateAll(one)
    expect(await namesOf(termsOf('any', 'rivers'))).toEqual([])
    await keepPublic(one.beatmapCache, [aBeatmap(75)], 0)
    const stats = examples.stats as Stats
    await one.statsWork.finish({ pack, lease: 0 }, { stats, dueAt: null, attempts: 1 })
    await updateAll(one)
    expect(await namesOf(termsOf('any', 'rivers'))).toEqual(['Week 1'])
    expect(await namesOf(termsOf('name', 'rivers'))).toEqual([])
    expect(await namesOf([[{ kind: 'beatmap', id: 75 }]])).toEqual(['Week 1'])
    expect(await namesOf([[{ kind: 'set', id: 100_075 }]])).toEqual(['Week 1'])
    expect(await namesOf([[{ kind: 'beatmap', id: 7 }]])).toEqual([])
  })

  it('takes one of several terms, the start of a word, and leaves out what others have found', async () => {
    await save('Harbour Lights')
    await save('Harvest Moon')
    await save('Moonlight')
    await updateAll(one)
    const har: Term = { kind: 'name', word: 'har', isPrefix: true }
    expect(await namesOf([[har]])).toEqual(['Harvest Moon', 'Harbour Lights'])
    const either: Term[] = [
      { kind: 'name', word: 'lights' },
      { kind: 'name', word: 'moonlight' },
    ]
    expect(await namesOf([either])).toEqual(['Moonlight', 'Harbour Lights'])
    const except = [termsOf('name', 'moon', 'harvest'), termsOf('name', 'moonlight')]
    expect(await namesOf([[har]], { except })).toEqual(['Harbour Lights'])
    expect(await namesOf([], { except })).toEqual(['Harbour Lights'])
    expect(await namesOf([], { except: [[]] })).toEqual([])
    expect(await namesOf([[]])).toEqual([])
  })

  it('forgets words and their variants that no public pack has any more, whichever process knew them (D-66)', async () => {
    const near = () => one.search.nearWords(['zyxwvutinn', 'harbou'])
    const { slug } = await save('Zyxwvutina Harbour')
    const kept = await save('Harbour')
    await updateAll(one)
    await updateAll(two)
    expect([...(await near()).values()]).toEqual([['zyxwvutina'], ['harbour']])
    await one.packs.remove(slug, 'owner', 6)
    await updateAll(two)
    expect([...(await near()).values()]).toEqual([[], ['harbour']])
    // Made private is gone, too; and what comes back is found again by the process that had saved it before.
    await replace(kept.slug, { visibility: 'private' })
    await updateAll(two)
    expect([...(await near()).values()]).toEqual([[], []])
    await save('Zyxwvutina')
    await updateAll(one)
    expect([...(await near()).values()]).toEqual([['zyxwvutina'], []])
  })

  it('rebuilds what an earlier version has changed, which forgets no words and does not keep them', async () => {
    const near = () => one.search.nearWords(['zyxwvutinn', 'harbou', 'qvwxyzz'])
    const gone = await save('Zyxwvutina Cup')
    const kept = await save('Harbour Cup')
    await updateAll(one)
    // As that version does: it has removed a pack, and added one, and has come as far as the list.
    const isSqlite = 'file' in store
    await one.packs.remove(gone.slug, 'owner', 6)
    await one.publicIndex.version()
    const [removed] = await store.query('select pack_id as id from search_pack order by pack_id')
    const statements = [
      `delete from search_pack where pack_id = ${String(removed!['id'])}`,
      "insert into search_near (variant, word) values ('qvwxyz', 'qvwxyz')",
      `update shared_number set value = (select value from shared_number where name = 'index_version')
        where name = 'search_seq'`,
    ]
    if (isSqlite)
      statements.push(`delete from search_words where rowid = ${String(removed!['id'])}`)
    if (isSqlite)
      statements.push(`delete from search_pack_words where pack_id <> ${String(removed!['id'])}`)
    for (const statement of statements) await store.query(statement)
    expect([...(await near()).values()]).toEqual([['zyxwvutina'], ['harbour'], ['qvwxyz']])
    // What it has added is removed without what it has not kept.
    await replace(kept.slug, { name: 'Harbour Cups' })
    await updateAll(two, 1)
    expect([...(await near()).values()]).toEqual([[], ['harbour'], []])
    if (isSqlite) expect(await store.query('select * from search_pack_words')).toHaveLength(1)
    await one.packs.remove(kept.slug, 'owner', 7)
    await updateAll(one)
    expect(await store.query('select * from search_near')).toEqual([])
    if (isSqlite) expect(await store.query('select * from search_pack_words')).toEqual([])
  })

  it('keeps no word of a pack that has none', async () => {
    await one.accounts.ensurePlayer({ gameId: 1, username: '–' }, 'owner', 0)
    const { slug } = await save('★')
    await updateAll(one)
    expect(await namesOf([])).toEqual(['★'])
    expect(await store.query('select * from search_near')).toEqual([])
    await one.packs.remove(slug, 'owner', 6)
    await updateAll(one)
    expect(await namesOf([])).toEqual([])
  })

  it('takes words as words, whatever is in them', async () => {
    await save('Harbour')
    await updateAll(one)
    for (const word of [
      '"',
      "'",
      '\\',
      "' | 'harbour",
      '" OR "harbour',
      '*',
      'x'.repeat(300),
      '',
    ]) {
      expect(await namesOf([[{ kind: 'any', word }]]), word).toEqual([])
    }
    expect(await namesOf(termsOf('any', 'harbour'))).toEqual(['Harbour'])
  })

  it('goes on after a place, each pack once, also when packs share their moment', async () => {
    for (let at = 0; at < 25; at += 1) await save(`Week ${at}`, { createdAt: 1_000 + (at >> 3) })
    await updateAll(one)
    for (const match of [termsOf('name', 'week'), []]) {
      const all = await namesOf(match, { limit: 100 })
      expect(all).toHaveLength(25)
      const paged: string[] = []
      for (let after: number | null = null; ;) {
        const { packs, next } = await search(match, { after, limit: 5 })
        expect(packs.length).toBe(5)
        paged.push(...packs.map(({ name }) => name))
        if (next === null) break
        after = next
      }
      expect(paged).toEqual(all)
    }
  })

  it('filters as Browse does: both ends count, a range lies within, unknown passes when asked', async () => {
    const stats = examples.stats as Stats
    const values = { ...stats, srAvg: 5.5, lenMin: 90, lenMax: 200, bpmMin: 150, bpmMax: 180 }
    await save('known', { stats: { ...values, mods: ['NM', 'DT'], modes: ['base', 'mania'] } })
    await save('unknown')
    await updateAll(one)
    const find = async (filter: Partial<PackFilter>) => {
      const found = await namesOf([], { filter: { ...noFilter, ...filter } })
      expect(
        await namesOf(
          [
            [
              { kind: 'name', word: 'known' },
              { kind: 'name', word: 'unknown' },
            ],
          ],
          {
            filter: { ...noFilter, ...filter },
          },
        ),
      ).toEqual(found)
      return found
    }
    expect(await find({ stars: [5.5, 5.5] })).toEqual(['known'])
    expect(await find({ stars: [5.51, null] })).toEqual([])
    expect(await find({ length: [90, 200] })).toEqual(['known'])
    expect(await find({ length: [null, 199.5] })).toEqual([])
    expect(await find({ bpm: [150, null], mods: ['DT'] })).toEqual(['known'])
    expect(await find({ bpm: [151, null] })).toEqual([])
    expect(await find({ beatmaps: [2, 2] })).toEqual(['unknown', 'known'])
    expect(await find({ beatmaps: [3, null] })).toEqual([])
    expect(await find({ mods: ['NM', 'HR'] })).toEqual([])
    expect(await find({ rulesets: ['taiko', 'mania'] })).toEqual(['known'])
    expect(await find({ rulesets: ['taiko'] })).toEqual([])
    const stars = [6, null] as const
    expect(await find({ stars, showsUnrated: true })).toEqual(['unknown'])
  })

  it('names no pack that is not public at this moment, whatever was taken over (D-66)', async () => {
    const [kept, hidden, unlisted, removed, later] = [
      await save('Week kept'),
      await save('Week hidden'),
      await save('Week unlisted'),
      await save('Week removed'),
      await save('Week later', { visibility: 'private' }),
    ]
    await updateAll(one)
    expect(await namesOf(termsOf('name', 'week'))).toHaveLength(4)
    await one.packs.moderate(hidden.slug, () => ({ hiddenAt: 5_000, pinnedRank: null }))
    await replace(unlisted.slug, { visibility: 'unlisted', updatedAt: 2_000 })
    await one.packs.remove(removed.slug, 'owner', 0)
    await replace(later.slug, { visibility: 'public', updatedAt: 2_000 })
    expect(await namesOf(termsOf('name', 'week'))).toEqual([kept.name])
    expect(await namesOf([])).toEqual([kept.name])
    await updateAll(two)
    expect(await namesOf(termsOf('name', 'week'))).toEqual([later.name, kept.name])
    expect((await one.searchUpdates.progress()).packs).toBe(2)
  })

  it('follows what is edited, and the name of an owner', async () => {
    const pack = await save('Harbour')
    await updateAll(one)
    await replace(pack.slug, { name: 'Lights', updatedAt: 2_000 })
    await one.accounts.ensurePlayer({ gameId: 1, username: 'Renamed' }, 'unused', 0)
    await updateAll(two)
    expect(await namesOf(termsOf('any', 'harbour'))).toEqual([])
    expect(await namesOf(termsOf('any', 'mapper'))).toEqual([])
    expect(await namesOf(termsOf('text', 'renamed', 'lights'))).toEqual(['Lights'])
  })

  it('is updated by several processes at once, which take over each pack once', async () => {
    for (let at = 0; at < 30; at += 1) await save(`Week ${at}`)
    await updateAll(one)
    const taken: string[] = []
    const noting: Describe = (pack, beatmaps) => {
      taken.push(pack.slug)
      return describePack(pack, beatmaps)
    }
    const saved = await Promise.all(
      Array.from({ length: 20 }, (_, at) => save(`Day ${at}`).then(({ slug }) => slug)),
    )
    const work = async ({ searchUpdates: updates }: Stores) => {
      while ((await updates.update(3, noting)) > 0 || (await updates.progress()).pending > 0);
    }
    await Promise.all([work(one), work(two), work(one)])
    // SQLite runs each piece of work once; PostgreSQL may try one again that collided.
    expect([...new Set(taken)].toSorted()).toEqual(saved.toSorted())
    expect((await one.searchUpdates.progress()).packs).toBe(50)
    expect(await namesOf(termsOf('name', 'day'), { limit: 100 })).toHaveLength(20)
  })

  it('rebuilds when asked, and what can be found stays so meanwhile', async () => {
    for (let at = 0; at < 10; at += 1) await save(`Week ${at}`)
    await updateAll(one)
    expect(await one.searchUpdates.update(16, describePack)).toBe(0)
    await two.searchUpdates.rebuild()
    expect(await one.searchUpdates.progress()).toMatchObject({
      packs: 10,
      pending: 0,
      isRebuilding: true,
    })
    expect(await one.searchUpdates.update(4, describePack)).toBe(4)
    expect((await two.searchUpdates.progress()).rebuild).toEqual({ done: 4, of: 10 })
    const late = await save('Late')
    expect((await one.searchUpdates.progress()).pending).toBe(1)
    expect(await namesOf(termsOf('name', 'week'), { limit: 100 })).toHaveLength(10)
    await updateAll(two, 4)
    expect(await one.searchUpdates.progress()).toMatchObject({
      packs: 11,
      pending: 0,
      isRebuilding: false,
    })
    expect(await namesOf(termsOf('name', 'late'))).toEqual([late.name])
  })

  /** As if a pack had been saved so often. */
  const touch = async (slug: string, times: number): Promise<void> => {
    await store.query(
      `insert into public_change (slug, pack_id, from_updated_at, to_updated_at, mark)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${times})
      select slug, id, updated_at, updated_at, 1 from n, pack where slug = '${slug}'`,
    )
    for (let counted = 0; counted <= times; counted += 10_000) await one.publicIndex.version()
  }

  it('keeps 100,000 changes for the search, and begins a rebuild when some were removed', async () => {
    const pack = await save('Week')
    const hidden = await save('Week hidden')
    await updateAll(one)
    await store.query(`delete from pack where slug = '${hidden.slug}'`)
    await touch(pack.slug, 20_000)
    expect(await one.searchUpdates.progress()).toMatchObject({
      packs: 2,
      pending: 20_000,
      isRebuilding: false,
    })
    await one.searchUpdates.update(1_000, describePack)
    expect(await one.searchUpdates.progress()).toMatchObject({
      packs: 2,
      pending: 19_000,
      isRebuilding: false,
    })
    await touch(pack.slug, 90_000)
    await one.searchUpdates.update(1, describePack)
    expect(await one.searchUpdates.progress()).toMatchObject({
      packs: 2,
      pending: 0,
      isRebuilding: true,
    })
    await updateAll(one)
    expect((await one.searchUpdates.progress()).packs).toBe(1)
  }, 60_000)

  it('counts many changes in time where its statements were planned for a few', async () => {
    const pack = await save('Week')
    await store.query('analyze')
    for (let at = 0; at < 8; at += 1) await touch(pack.slug, 1)
    await store.query('analyze')
    for (let at = 0; at < 8; at += 1) await touch(pack.slug, 1)
    await touch(pack.slug, 90_000)
    expect((await one.searchUpdates.progress()).pending).toBe(90_017)
  }, 60_000)

  it('begins a rebuild when it knows of more changes than there are', async () => {
    await save('Week')
    await updateAll(one)
    await store.query(`update shared_number set value = value + 5 where name = 'search_seq'`)
    await save('Day')
    await updateAll(two)
    expect(await namesOf([])).toEqual(['Day', 'Week'])
    expect(await one.searchUpdates.progress()).toMatchObject({
      packs: 2,
      pending: 0,
      isRebuilding: false,
    })
  })

  it('knows words that differ by a typing error', async () => {
    await save('Harbour Lights')
    await save('Harbours')
    await updateAll(one)
    const near = await two.search.nearWords(['harbuor', 'lights', 'xyzzy'])
    expect(near.get('harbuor')).toContain('harbour')
    expect(near.get('lights')).not.toContain('lights')
    expect(near.get('xyzzy')).toEqual([])
  })

  it('finds the newest first, whatever the engine has learnt about its tables', async () => {
    for (let at = 0; at < 40; at++) await save(`Cup ${at}`)
    for (let at = 0; at < 40; at++) await save(`Other ${at}`, { description: 'of the cup' })
    await updateAll(one)
    for (const statement of ['analyze', 'vacuum']) {
      await store.query(statement)
      const found = await namesOf(termsOf('text', 'cup'), { limit: 60 })
      const names = (stem: string) => Array.from({ length: 40 }, (_, at) => `${stem} ${39 - at}`)
      expect(found, statement).toEqual([...names('Other'), ...names('Cup')].slice(0, 60))
      const named = await namesOf(termsOf('name', 'cup'), { limit: 60 })
      expect(named, statement).toEqual(names('Cup'))
    }
  })

  it('begins after the packs that are younger than a time', async () => {
    for (const createdAt of [100, 200, 300]) await save(`Made at ${createdAt}`, { createdAt })
    await save('Not for all', { createdAt: 250, visibility: 'unlisted' })
    await updateAll(one)
    const after = async (createdAt: number) => {
      const { packs } = await search([], { after: await two.search.placeOf(createdAt) })
      return packs.map((pack) => pack.createdAt)
    }
    expect(await after(250)).toEqual([200, 100])
    expect(await after(200)).toEqual([200, 100])
    expect(await after(99)).toEqual([])
  })

  it('seals places, which reveal no count, and opens no other text', async () => {
    const places = [
      { tier: 0, after: null },
      { tier: 255, after: 0 },
      { tier: 3, after: 123_456_789 },
    ]
    for (const place of places) {
      const text = await one.search.sealPlace(place)
      expect(text).toMatch(/^[\w-]{22}$/)
      expect(await two.search.openPlace(text)).toEqual(place)
    }
    const feed = await one.changes.read(null, 1)
    const cursor = feed.outcome === 'read' ? feed.newest : ''
    for (const text of ['', 'x', 'A'.repeat(22), cursor]) {
      expect(await one.search.openPlace(text), text).toBeNull()
    }
  })
})
