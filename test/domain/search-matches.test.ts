import { describe, expect, it } from 'vitest'
import { beatmapMatcher, packWords, type Term } from '../../src/domain/search.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
import { aNewPack, someStats } from '../ports/sample-pack.ts'

const one = aBeatmap(1, {
  setId: 10,
  artist: 'Aa',
  title: 'Bb',
  mapper: 'Cc',
  difficulty: 'Dd',
  artistUnicode: 'Aa',
  titleUnicode: 'Bb',
})
const packOf = (...beatmaps: (typeof one)[]) => {
  const slots = beatmaps.map(({ id }, at) => ({ mod: 'NM', index: at + 1, beatmapId: id }))
  const known = new Map(beatmaps.map((beatmap) => [beatmap.id, beatmap]))
  return packWords({ ...aNewPack({ name: 'Cup', slots }), ownerUsername: 'ada' }, 'ada', known)
}

describe('what a beatmap adds to the words of a pack', () => {
  it('is its texts, and its neighbours in the orders in which people write its parts', () => {
    const { any, text, pairs } = packOf(one)
    expect(any.filter((word) => !text.includes(word))).toEqual(['bb', 'aa', 'cc', 'dd'])
    expect(new Set(pairs)).toEqual(
      new Set(['aa bb', 'bb dd', 'dd cc', 'bb aa', 'bb cc', 'cc bb', 'aa cc', 'cc aa']),
    )
  })

  it('joins the last word of one part with the first of another', () => {
    const two = { artist: 'a1 a2', title: 't1 t2', mapper: 'm1 m2', difficulty: 'd1 d2' }
    const own = { artistUnicode: two.artist, titleUnicode: two.title }
    expect(new Set(packOf(aBeatmap(5, { ...two, ...own })).pairs)).toEqual(
      new Set('a1 a2,a2 t1,t1 t2,t2 d1,d1 d2,d2 m1,m1 m2,t2 a1,t2 m1,m2 t1,a2 m1,m2 a1'.split(',')),
    )
  })

  it('is the same in its own letters, after the words of all beatmaps', () => {
    const own = aBeatmap(2, { ...one, id: 2, setId: 0, titleUnicode: 'Ee', difficulty: 'Ff' })
    const last = aBeatmap(3, { ...one, id: 3, setId: 10, title: 'Gg', titleUnicode: 'Gg' })
    const { any, text, pairs, beatmapIds, setIds } = packOf(own, last)
    expect(any.filter((word) => !text.includes(word))).toEqual([
      'bb',
      'aa',
      'cc',
      'gg',
      'ff',
      'ee',
      'dd',
    ])
    expect(pairs).toEqual(expect.arrayContaining(['aa ee', 'ee ff', 'ee cc', 'cc ee', 'bb aa']))
    expect(beatmapIds).toEqual([2, 3])
    // 0 is no set.
    expect(setIds).toEqual([10])
  })

  it('has no pair with a part that has no words', () => {
    expect(new Set(packOf(aBeatmap(4, { ...one, id: 4, mapper: '!' })).pairs)).toEqual(
      new Set(['aa bb', 'bb dd', 'bb aa']),
    )
  })
})

describe('what Browse filters a pack by', () => {
  const factsOf = (changes: Parameters<typeof aNewPack>[0]) =>
    packWords({ ...aNewPack(changes), ownerUsername: 'ada' }, 'ada', new Map()).facts

  it.each([
    [null, { stars: null, length: null, bpm: null, mods: null, rulesets: null }],
    [
      someStats(),
      { stars: 5.18, length: [142, 258], bpm: [120, 222], mods: ['NM'], rulesets: ['base'] },
    ],
    [
      { ...someStats(), srAvg: null, lenMin: null, bpmMax: null },
      { stars: null, length: null, bpm: null, mods: ['NM'], rulesets: ['base'] },
    ],
  ])('%#', (stats, facts) => {
    expect(factsOf({ stats })).toEqual({ maps: 2, ...facts })
  })
})

describe('the beatmaps of a pack that a query has found', () => {
  const two = aBeatmap(2, { ...one, id: 2, setId: 20, title: 'Other', titleUnicode: 'Bb' })
  const three = aBeatmap(3, { ...one, id: 3, setId: 10, mapper: 'Bbc', difficulty: 'Aa' })
  const all = [one, two, three]
  const word = (text: string, isPrefix?: true): Term => ({
    kind: 'any',
    word: text,
    ...(isPrefix && { isPrefix }),
  })
  const pair = (text: string): Term => ({ kind: 'pair', word: text })

  it.each<[string, readonly (readonly Term[])[], number[]]>([
    ['a word', [[word('cc')]], [1, 2]],
    ['a word in its own letters', [[word('bb')]], [1, 2, 3]],
    ['a word that goes on', [[word('bb', true)], [word('bbc', true)]], [3, 1, 2]],
    ['a whole word alone', [[word('bbc')]], [3]],
    ['one of several words', [[word('nothing'), word('other')]], [2]],
    ['most of the words first, else in order', [[word('other')], [word('dd')]], [2, 1]],
    ['neighbours', [[pair('dd bbc')]], []],
    ['neighbours in either script', [[pair('aa bb')]], [1, 2, 3]],
    ['neighbours of one part alone', [[pair('aa bbc')]], [3]],
    ['its id', [[{ kind: 'beatmap', id: 2 }]], [2]],
    ['the id of its set', [[{ kind: 'set', id: 10 }]], [1, 3]],
    ['an id of the other kind', [[{ kind: 'set', id: 2 }]], []],
    ['nothing', [[word('nothing')]], []],
  ])('are those with %s', (_with, match, ids) => {
    expect(beatmapMatcher(match, 9)(all).map(({ id }) => id)).toEqual(ids)
  })

  it('are no more than are asked for, and those that meet all end the search', () => {
    const match = [[word('aa')], [word('other')]]
    expect(beatmapMatcher(match, 2)(all).map(({ id }) => id)).toEqual([2, 1])
    const asked: number[] = []
    const watched = all.map((beatmap) => ({
      ...beatmap,
      get id() {
        asked.push(beatmap.id)
        return beatmap.id
      },
    }))
    beatmapMatcher(
      [
        [
          { kind: 'set', id: 10 },
          { kind: 'beatmap', id: 9 },
        ],
      ],
      1,
    )(watched)
    expect(new Set(asked)).toEqual(new Set([1]))
  })

  it('are told apart by 31 parts of a query', () => {
    const parts = Array.from({ length: 31 }, (_, at) => [word(at === 30 ? 'other' : 'aa')])
    expect(beatmapMatcher(parts, 9)(all).map(({ id }) => id)).toEqual([2, 1, 3])
  })
})
