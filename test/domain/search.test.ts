import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Beatmap } from '../../src/domain/beatmaps.ts'
import { contentOf, firstSave, type SavedPack } from '../../src/domain/packs.ts'
import { type Condition, type PackWords, packWords, type Term } from '../../src/domain/search.ts'
import { parseQuery, partialTiersOf, tiersOf } from '../../src/domain/search-query.ts'
import { readFilter } from '../../src/contract/pack-filter.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
import { aPack } from '../support/samples.ts'

const dive = aBeatmap(129891, {
  setId: 39804,
  artist: 'xi',
  title: 'FREEDOM DiVE',
  mapper: 'Nakagawa-Kanon',
  difficulty: 'FOUR DIMENSIONS',
  artistUnicode: 'xi',
  titleUnicode: 'FREEDOM DiVE↓',
})
const sakura = aBeatmap(75, {
  setId: 1,
  artist: 'Kurousa-P',
  title: 'Senbonzakura',
  artistUnicode: '黒うさP',
  titleUnicode: '千本桜',
  mapper: 'arbor',
  difficulty: 'Extra',
})

const saved = (input: Parameters<typeof aPack>[0] = {}): SavedPack => ({
  ...firstSave(contentOf(aPack(input)), { slug: 'q7Jm2_xT0a', ownerId: 'a'.repeat(22), now: 0 }),
  ownerUsername: 'Cobalt Otter',
})

const wordsOf = (input: Parameters<typeof aPack>[0] = {}, ...maps: Beatmap[]): PackWords => {
  const slots = maps.map(({ id }, at) => ({ mod: 'NM', index: at + 1, beatmapId: id }))
  const beatmaps = new Map(maps.map((map) => [map.id, map]))
  return packWords(saved({ ...input, ...(maps.length > 0 && { slots }) }), 'Cobalt Otter', beatmaps)
}

/** As a store matches a term. */
const has = (pack: PackWords, term: Term): boolean => {
  if ('id' in term) {
    return pack[term.kind === 'beatmap' ? 'beatmapIds' : 'setIds'].includes(term.id)
  }
  const { name, text, any, pairs } = pack
  const { kind, word, isPrefix } = term
  const words = { name, text, any, pair: pairs }[kind]
  return words.some((each) => (isPrefix ? each.startsWith(word) : each === word))
}

const meets = (pack: PackWords, match: Condition): boolean =>
  match.every((terms) => terms.some((term) => has(pack, term)))

/** By what a query finds a pack first; null for not at all. */
const foundBy = (query: string, pack: PackWords, near: Record<string, string[]> | null = null) => {
  const tiers = tiersOf(parseQuery(query), near && new Map(Object.entries(near)))
  const tier = tiers.find(({ match }) => meets(pack, match))
  return tier?.match[0]?.[0]?.kind ?? null
}

describe('what a pack is found by', () => {
  test('its name, its owner, its description and its known maps', () => {
    const words = wordsOf({ name: 'HLC 2026', description: 'Hard jumps' }, dive, sakura)
    expect(words.name).toEqual(['hlc', '2026', 'hlc2026'])
    expect(words.text).toEqual([...words.name, 'cobalt', 'otter', 'hard', 'jumps'])
    const ofMaps = 'freedom dive xi nakagawa kanon four dimensions senbonzakura kurousa 千本 extra'
    expect(words.any).toEqual(expect.arrayContaining([...words.text, ...ofMaps.split(' ')]))
    expect(words.pairs).toEqual(
      expect.arrayContaining(['hlc 2026', 'xi freedom', 'freedom dive', 'dive xi', '千本 本桜']),
    )
    expect(words.pairs).not.toContain('kanon senbonzakura')
    expect(words).toMatchObject({ beatmapIds: [129891, 75], setIds: [39804, 1] })
  })

  test.each([
    ['Quals', 'quals qualifying qualifier qualifiers q'],
    ['Qualifying', 'qualifying quals qualifier qualifiers q'],
    ['Qualifiers', 'qualifiers quals qualifying qualifier q'],
    ['QF', 'qf quarter quarterfinal quarterfinals finals'],
    ['Quarterfinal', 'quarterfinal qf quarter quarterfinals finals'],
    ['Quarterfinals', 'quarterfinals qf quarter quarterfinal finals'],
    ['Quarter Final', 'quarter final qf quarterfinal quarterfinals finals'],
    ['Semi Finals', 'semi finals sf semifinal semifinals'],
    ['GF 2', 'gf 2 gf2 grand grandfinal grandfinals finals'],
    ['Grand Cup', 'grand cup'],
    ['Finals', 'finals'],
    ['Round of 16', 'round of 16 of16 ro16'],
    ['Round of 2048', 'round of 2048 of2048 ro2048'],
    ['Round of 12345', 'round of 12345 of12345'],
    ['Round of A', 'round of a'],
    ['Group of 16', 'group of 16 of16'],
    ['RO16', 'ro16 ro 16 round of'],
    ['RO16B', 'ro16b ro 16 b'],
    ['Euro16', 'euro16 euro 16'],
  ])('its round in short and in full: %s', (name, words) => {
    expect(new Set(wordsOf({ name }).name)).toEqual(new Set(words.split(' ')))
  })

  test('facts are as its stats', () => {
    const ranges = { srMin: 1, srMax: 9, lenMin: 90, lenMax: 100, bpmMin: null, bpmMax: null }
    const rest = { srAvg: 5.5, mods: ['NM' as const], modes: ['base' as const], count: 3 }
    const stats = { ...ranges, ...rest, complete: true, computedAt: '2026-10-03T18:30:00.000Z' }
    const { facts } = packWords({ ...saved(), stats }, 'x', new Map())
    expect(facts).toEqual({
      maps: 3,
      stars: 5.5,
      length: [90, 100],
      bpm: null,
      mods: ['NM'],
      rulesets: ['base'],
    })
    const unknown = { maps: 3, stars: null, length: null, bpm: null, mods: null, rulesets: null }
    expect(wordsOf().facts).toEqual(unknown)
  })

  test('no pack has more than 1,500 words of a kind, however much there is to read', () => {
    const long = (seed: string) =>
      Array.from({ length: 300 }, (_, at) => `${seed}${at.toString(36)}`)
    const maps = Array.from({ length: 64 }, (_, at) => {
      const text = long(`w${at}x`).join(' ').slice(0, 1024)
      return aBeatmap(at + 1, { title: text, titleUnicode: text, artist: text, mapper: text })
    })
    const words = wordsOf({ name: 'Long', description: 'd '.repeat(250) }, ...maps)
    for (const kind of ['name', 'text', 'any', 'pairs'] as const) {
      expect(words[kind].length).toBeLessThanOrEqual(1_500)
      expect(new Set(words[kind]).size).toBe(words[kind].length)
    }
    expect(words.any).toHaveLength(1_500)
    expect(words.beatmapIds).toHaveLength(64)
  })
})

describe('what a query asks for', () => {
  test('at most 8 words, each once', () => {
    expect(parseQuery('no no No title').words).toEqual(['no', 'title'])
    expect(parseQuery('a b c d e f g h i j').words).toEqual('a b c d e f g h'.split(' '))
    expect(parseQuery('千本桜の空の下').words).toEqual(['千本', '桜の', '空の', 'の下'])
  })

  test('every word between spaces, whatever letters it shares with its neighbours', () => {
    expect(parseQuery('data apple pie').words).toEqual(['data', 'apple', 'pie'])
    const anyWord = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(fc.array(anyWord, { minLength: 1, maxLength: 8 }), (words) => {
        const asked = words.map((letters) => letters.join(''))
        expect(parseQuery(asked.join(' ')).words).toEqual([...new Set(asked)])
      }),
    )
  })

  test('the last word goes on, unless a space follows or it is not asked for', () => {
    const open = (query: string) => parseQuery(query).isOpen
    expect([open('free'), open('free '), open(''), open('a b c d e f g h i')]).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect(open('free https://osu.ppy.sh/b/75')).toBe(false)
  })

  test.each([
    ['https://osu.ppy.sh/beatmapsets/39804#osu/129891', 129891, 39804],
    ['osu.ppy.sh/beatmapsets/39804', null, 39804],
    ['https://osu.ppy.sh/beatmaps/129891', 129891, null],
    ['https://osu.ppy.sh/b/129891?m=0', 129891, null],
    ['https://old.ppy.sh/s/39804', null, 39804],
    ['osu://b/129891', 129891, null],
    ['osu://s/39804', null, 39804],
    ['https://osu.ppy.sh/d/39804n', null, null],
    ['https://osu.ppy.sh/p/beatmap?b=129891&m=0', 129891, null],
    ['https://osu.ppy.sh/p/beatmap?s=39804', null, 39804],
    ['!mp map 129891 0', 129891, null],
  ])('a link: %s', (link, beatmapId, setId) => {
    const { links, words, numbers } = parseQuery(link)
    if (beatmapId === null && setId === null) return expect(links).toEqual([])
    expect({ links, words, numbers }).toEqual({
      links: [{ beatmapId, setId }],
      words: [],
      numbers: [],
    })
  })

  test('a number is a word, and may be an id', () => {
    expect(parseQuery('owc 2023 7 0123 99999999999')).toMatchObject({ numbers: [2023], links: [] })
    const huge = 'https://osu.ppy.sh/b/99999999999999999999'
    expect(parseQuery(huge)).toMatchObject({ links: [], words: [] })
  })

  test('whatever is typed, terms are words and ids that a store can look up', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 260 }), (text) => {
        const query = parseQuery(text)
        expect(query.words.length).toBeLessThanOrEqual(8)
        const near = new Map(query.words.map((word) => [word, ['near']]))
        const tiers = [...tiersOf(query, null), ...tiersOf(query, near)]
        for (const term of tiers.flatMap(({ match }) => match.flat())) {
          if ('id' in term) expect(term.id).toBeLessThanOrEqual(2 ** 31 - 1)
          else expect(term.word).toMatch(/^[\p{L}\p{M}\p{N}]+( [\p{L}\p{M}\p{N}]+)?$/u)
        }
      }),
    )
  })
})

describe('how a query finds a pack', () => {
  const pack = wordsOf({ name: 'HLC 2026 Finals', description: 'Hard jumps' }, dive, sakura)

  test.each([
    ['hlc finals', 'name'],
    ['hlc fin', 'name'],
    ['hlc2026', 'name'],
    ['hlc otter', 'text'],
    ['hard hlc', 'text'],
    ['freedom dive', 'pair'],
    ['freedom dive xi', 'pair'],
    ['xi - FREEDOM DiVE [four dim', 'pair'],
    ['千本桜', 'pair'],
    ['freedom kurousa', 'any'],
    ['hlc freedom', 'any'],
    ['129891 75', 'any'],
    ['freedom dive ', 'pair'],
    ['freedom di ', null],
    ['freedom typo', null],
    ['!!!', null],
  ])('%s: by %s', (query, kind) => {
    expect(foundBy(query, pack)).toBe(kind)
  })

  test('by id and by link, alone and with words', () => {
    const link = 'https://osu.ppy.sh/beatmapsets/39804#osu/129891'
    expect(foundBy('129891', pack)).toBe('any')
    expect(foundBy('39804', pack)).toBe('any')
    expect(foundBy(link, pack)).toBe('beatmap')
    expect(foundBy(`hlc ${link}`, pack)).toBe('name')
    expect(foundBy(`${link} https://osu.ppy.sh/b/75`, pack)).toBe('beatmap')
    const other = 'https://osu.ppy.sh/beatmapsets/39804#osu/129892'
    expect(foundBy(other, pack)).toBe(null)
    expect(foundBy(other, pack, {})).toBe('beatmap')
    expect(foundBy(`https://osu.ppy.sh/b/4 ${link}`, pack)).toBe(null)
    expect(foundBy(`https://osu.ppy.sh/b/4 ${link}`, pack, {})).toBe('beatmap')
  })

  test('with the 16 nearest of as many near words as there are, 4 in pairs: what a search costs is bounded', () => {
    const word = 'freedom'
    const nearer = Array.from({ length: 20 }, (_, at) => `freedo${String.fromCodePoint(97 + at)}`)
    const farther = Array.from({ length: 20 }, (_, at) => `${String.fromCodePoint(97 + at)}reedom`)
    const all = [...farther, ...nearer].filter((each) => each !== word)
    const words = Array.from({ length: 8 }, (_, at) => word.repeat(at + 1))
    const near = new Map(words.map((each) => [each, all]))
    const nearIn = (condition: Condition[number]) =>
      condition.filter((term) => 'word' in term && all.includes(term.word))
    const tiers = tiersOf(parseQuery(`${words.join(' ')} `), near)
    expect(tiers.length).toBeGreaterThan(1)
    for (const { match } of tiers) {
      for (const part of match) {
        expect(nearIn(part).length).toBeLessThanOrEqual(16)
        // Spaces that are too many, or missing, add one term for each place in the word.
        expect(part.length).toBeLessThanOrEqual(1 + 16 + 2 + 64)
      }
      expect(match.flat().filter((term) => term.kind === 'pair').length).toBeLessThanOrEqual(8 * 64)
    }
    const [tier] = tiersOf(parseQuery(`${word} cup `), near)
    const found = nearIn(tier?.match[0] ?? []).map((term) => ('word' in term ? term.word : ''))
    expect(found).toEqual(nearer.filter((each) => each !== word).slice(0, 16))
    const ofPairs = tiersOf(
      parseQuery(`${word} ${word}s `),
      new Map([
        [word, all],
        [`${word}s`, all],
      ]),
    )
    const pairs = ofPairs
      .flatMap(({ match }) => match)
      .filter((part) => part.every(({ kind }) => kind === 'pair'))
    expect(pairs.map((part) => part.length)).toEqual([25])
  })

  test('with near words, and with spaces that are missing or too many', () => {
    expect(foundBy('fredom dive', pack, { fredom: ['freedom'] })).toBe('pair')
    expect(foundBy('fredom kurousa', pack, { fredom: ['freedom'] })).toBe('any')
    expect(foundBy('freedomdive', pack, {})).toBe('any')
    expect(foundBy('sen bonzakura', pack, {})).toBe('any')
    expect(foundBy('hlc fniasl', pack, { fniasl: ['finals'] })).toBe('text')
    expect(foundBy('fredom dive', pack, {})).toBe(null)
  })

  test('without the words that nothing has, or else with all but one, the short ones left out first', () => {
    const near = new Map([['fredom', ['freedom']]])
    const without = (query: string, ...unknown: string[]) =>
      partialTiersOf(parseQuery(query), near, new Set(unknown)).map(({ match }) =>
        meets(pack, match),
      )
    expect(without('dive by fredom ', 'by', 'fredom')).toEqual([true])
    expect(without('dive cup fredom ', 'fredom')).toEqual([true, false, false])
    expect(without('nothing dive ', 'nothing')).toEqual([])
    expect(without('a b c d e f g ')).toEqual([])
  })

  test('whole words come before those that begin with the last one', () => {
    const kinds = (query: string) =>
      tiersOf(parseQuery(query), null).map(({ match }) => {
        const [term] = match.at(-1) ?? []
        return term !== undefined && 'isPrefix' in term ? `${term.kind}*` : term?.kind
      })
    const whole = ['name', 'text', 'pair', 'any']
    expect(kinds('hlc fin')).toEqual([...whole, 'name*', 'pair*', 'any*'])
    expect(kinds('hlc fin ')).toEqual(whole)
    expect(kinds('千本桜')).toEqual(whole)
  })

  test('one or two letters of a word are searched for in texts, and after the word before them', () => {
    expect(foundBy('ot', pack)).toBe('any')
    expect(foundBy('freedom di', pack)).toBe('pair')
    expect(foundBy('kurousa di', pack)).toBe(null)
    expect(foundBy('kurousa div', pack)).toBe('any')
  })

  test('each pack is found by one search, and by the last if by any', () => {
    const word = fc.constantFrom('hlc', 'fi', 'hard', 'otter', 'freedom', 'di', 'div', '千本', '75')
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
        const tiers = tiersOf(parseQuery(words.join(' ')), null)
        const finds = tiers.map(({ match }) => meets(pack, match))
        expect(finds.at(-1)).toBe(finds.includes(true))
        // And no search finds it again.
        const firsts = tiers.filter(
          ({ match, except }) => meets(pack, match) && !except.some((each) => meets(pack, each)),
        )
        expect(firsts).toHaveLength(finds.includes(true) ? 1 : 0)
      }),
    )
  })
})

describe('the filter of a query', () => {
  const open = [null, null]

  test('is read as Browse reads its address, and what does not fit is ignored', () => {
    expect(
      readFilter({ stars: '5-6.55', length: '-120', bpm: '180-', mods: 'DT,NM', unrated: '1' }),
    ).toEqual({
      stars: [5, 6.55],
      length: [null, 120],
      bpm: [180, null],
      beatmaps: open,
      mods: ['NM', 'DT'],
      rulesets: [],
      showsUnrated: true,
    })
    expect(
      readFilter({
        stars: '6-5',
        length: '1e3-',
        bpm: '-',
        beatmaps: '5',
        mods: 'nm,NC',
        rulesets: 'osu,taiko',
        unrated: '0',
      }),
    ).toEqual({
      stars: open,
      length: open,
      bpm: open,
      beatmaps: open,
      mods: [],
      rulesets: ['taiko'],
      showsUnrated: false,
    })
  })
})
