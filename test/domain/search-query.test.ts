import { describe, expect, it } from 'vitest'
import { numberingSystems } from '../support/numbering-systems.ts'
import type { Condition, Term } from '../../src/domain/search.ts'
import {
  parseQuery,
  partialTiersOf,
  type Tier,
  tiersOf,
  wordConditions,
} from '../../src/domain/search-query.ts'

const termText = (term: Term): string =>
  'id' in term
    ? `${term.kind} #${term.id}`
    : `${term.kind} ${term.word}${term.isPrefix === true ? '*' : ''}`

const conditionText = (condition: Condition): string =>
  condition.map((terms) => terms.map(termText).join(' | ')).join(' & ')

/** What each search asks for, without what others have found; `+ beatmaps`: of the beatmaps of packs, too. */
const written = (tiers: readonly Tier[]): string[] =>
  tiers.map(({ match, except, isOfBeatmaps }) =>
    [
      [match, ...except].map(conditionText).join(' – '),
      ...(isOfBeatmaps ? ['+ beatmaps'] : []),
    ].join(' '),
  )

const link = 'https://osu.ppy.sh/beatmapsets/39804#osu/129891'

describe('the searches of a query, best first: each asks for what those before it have not found', () => {
  it.each<[string, ...string[]]>([
    ['!!!'],
    [
      'hlc fin ',
      'name hlc & name fin',
      'text hlc & text fin – name hlc & name fin',
      'pair hlc fin – text hlc & text fin + beatmaps',
      'any hlc & any fin – text hlc & text fin – pair hlc fin + beatmaps',
    ],
    [
      'dive',
      'name dive',
      'text dive – name dive',
      'any dive – text dive + beatmaps',
      'name dive* – any dive',
      'any dive* – any dive – name dive* + beatmaps',
    ],
    [
      'di',
      'name di',
      'text di – name di',
      'any di – text di + beatmaps',
      'name di* – any di',
      'any di | text di* – any di – name di* + beatmaps',
    ],
    [
      'no no',
      'name no',
      'text no – name no',
      'any no – text no + beatmaps',
      'name no* – any no',
      'any no | text no* | pair no no* – any no – name no* + beatmaps',
    ],
    ['75 ', 'name 75', 'text 75 – name 75', 'any 75 | beatmap #75 | set #75 – text 75 + beatmaps'],
    ['osu.ppy.sh/s/39804', 'set #39804 + beatmaps'],
    [
      `hlc ${link} cup `,
      'name hlc & name cup & beatmap #129891',
      'text hlc & text cup & beatmap #129891 – name hlc & name cup & beatmap #129891',
      'any hlc & any cup & beatmap #129891 – text hlc & text cup & beatmap #129891 + beatmaps',
    ],
  ])('%s', (query, ...tiers) => {
    expect(written(tiersOf(parseQuery(query), null))).toEqual(tiers)
  })

  it.each(numberingSystems)('have digits as %s has them for those of ids and words', (system) => {
    const write = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false })
    const asked = (id: string): string => `cup2026 ${id} osu.ppy.sh/b/${id}`
    expect(parseQuery(asked(write.format(129_891)))).toEqual(parseQuery(asked('129891')))
  })
})

describe('the searches with near words, the nearest first, and with spaces that are missing or too many', () => {
  it.each<[string, Record<string, string[]>, ...string[]]>([
    [
      'dives',
      {},
      'text dives*',
      'any dives* | pair d ives | pair di ves | pair div es | pair dive s – text dives* + beatmaps',
    ],
    [
      `cup ${link} `,
      {},
      'text cup & beatmap #129891 | set #39804',
      'any cup & beatmap #129891 | set #39804 – text cup & beatmap #129891 | set #39804 + beatmaps',
    ],
    [
      'frdo cup ',
      { frdo: ['xrdo', 'frdoo'], cup: ['cap'] },
      'text frdo | text frdoo | text xrdo | text frdocup & text cup | text cap | text frdocup',
      'pair frdo cup | pair frdo cap | pair frdoo cup | pair frdoo cap | pair xrdo cup | pair xrdo cap' +
        ' – text frdo | text frdoo | text xrdo | text frdocup & text cup | text cap | text frdocup + beatmaps',
      'any frdo | any frdoo | any xrdo | any frdocup & any cup | any cap | any frdocup' +
        ' – text frdo | text frdoo | text xrdo | text frdocup & text cup | text cap | text frdocup' +
        ' – pair frdo cup | pair frdo cap | pair frdoo cup | pair frdoo cap | pair xrdo cup | pair xrdo cap + beatmaps',
    ],
  ])('%s', (query, near, ...tiers) => {
    const found = tiersOf(parseQuery(query), new Map(Object.entries(near)))
    expect(written(found)).toEqual(tiers)
  })

  it('of two words with as many errors, that with the same first letter; and fewer errors before more', () => {
    const near = new Map([['freedoms', ['frexxoms', 'xreedoms', 'freedomss']]])
    const [tier] = written(tiersOf(parseQuery('freedoms '), near))
    expect(tier).toBe('text freedoms | text freedomss | text xreedoms | text frexxoms')
  })

  it('leave out what nothing has, or else one word, the shortest first', () => {
    const partial = (query: string, unknown: string, near: Record<string, string[]>) =>
      written(partialTiersOf(parseQuery(query), new Map(Object.entries(near)), new Set([unknown])))
    expect(partial(`dive cup frd ${link} `, 'frd', {})).toEqual([
      'any dive | any divecup & any cup | any divecup | any cupfrd & beatmap #129891 | set #39804 + beatmaps',
    ])
    expect(partial('cups of frd ', 'frd', { frd: ['ford'] })).toEqual([
      'any cups | any cupsof & any frd | any ford | any offrd + beatmaps',
      'any cups | any cupsof & any of | any cupsof | any offrd + beatmaps',
      'any of | any cupsof | any offrd & any frd | any ford | any offrd + beatmaps',
    ])
    expect(partial('a b c d e f ', 'x', {})).toHaveLength(6)
    expect(partial('a b c d e f g ', 'x', {})).toEqual([])
  })
})

it('each word has its packs, the last one also those with a word that begins with it', () => {
  const conditions = (query: string) =>
    [...wordConditions(parseQuery(query))].map(([word, all]) => [word, ...all.map(conditionText)])
  expect(conditions('hlc 75 fin')).toEqual([
    ['hlc', 'any hlc'],
    ['75', 'any 75 | beatmap #75 | set #75'],
    ['fin', 'any fin', 'any fin*'],
  ])
  expect(conditions('fin ')).toEqual([['fin', 'any fin']])
})

it('of a query, 200 characters are read, 8 words and 8 links', () => {
  const links = Array.from({ length: 9 }, (_, at) => `osu://b/${at + 1}`)
  expect(parseQuery(links.join(' ')).links.map(({ beatmapId }) => beatmapId)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8,
  ])
  expect(parseQuery(`${' '.repeat(196)}cups`).words).toEqual(['cups'])
  expect(parseQuery(`${' '.repeat(197)}cups`).words).toEqual(['cup'])
  expect(parseQuery('a\ud83d b').words).toEqual(['a', 'b'])
})
