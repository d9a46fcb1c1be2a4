import { describe, expect, it, test } from 'vitest'
import type { SearchQuery } from '../../src/contract/search.ts'
import type { IndexedPack } from '../../src/domain/packs.ts'
import { searchPacks } from '../../src/operations/search.ts'
import type { FoundPacks, PackSearch } from '../../src/ports/search.ts'
import { freeWork } from '../support/free-work.ts'

const aFound = (name: string): IndexedPack => ({
  slug: name.padEnd(10, '-'),
  name,
  ownerId: 'a'.repeat(22),
  ownerUsername: 'Cobalt Otter',
  description: null,
  stats: null,
  createdAt: 0,
  updatedAt: 0,
  slotCount: 1,
})

const nothing: FoundPacks = { packs: [], next: null }

/**
 * A search over a store that answers as `answer` says: it has looked at as many packs as it does at once, and
 * nothing shows what comes after.
 *
 * @param searchMs CPU time that each takes.
 */
const searching = (answer: (search: PackSearch) => FoundPacks, searchMs = 0) => {
  const asked: PackSearch[] = []
  let spentMs = 0
  const nearAsked: (readonly string[])[] = []
  const fail = async (): Promise<never> => {
    throw new Error('not asked for here')
  }
  const ports = {
    search: {
      find: async (search: PackSearch) => {
        asked.push(search)
        spentMs += searchMs
        return answer(search)
      },
      nearWords: async (words: readonly string[]) => {
        nearAsked.push(words)
        return new Map(words.map((word) => [word, [`${word}x`]]))
      },
      count: async () => 7,
      placeOf: async (createdAt: number) => createdAt / 1_000,
      sealPlace: async (place: object) => JSON.stringify(place),
      openPlace: async (text: string) => JSON.parse(text),
    },
    usage: { list: fail, last: fail, pooledWith: fail },
    packs: { read: () => null } as never,
    beatmapCache: { readBeatmaps: async () => new Map() } as never,
    clock: { now: () => 0 },
    work: { ...freeWork, spentMs: () => spentMs },
  }
  const ask = (query: SearchQuery) => {
    spentMs = 0
    return searchPacks(ports, query, 'Tournament pools')
  }
  return { asked, nearAsked, ask }
}

/** Whether a search is one of those with near words. */
const isNear = ({ match }: PackSearch): boolean => match.some((terms) => terms.length > 1)

/** What the store is asked for, in order: a word alone, whether any pack has it, or packs, by the kind of words. */
const kindsOf = (asked: readonly PackSearch[]): string[] =>
  asked.map((search) => {
    const [term] = search.match[0] ?? []
    if (term === undefined || !('word' in term)) return 'all'
    if (search.limit > 1) return `${isNear(search) ? 'near ' : ''}${term.kind}`
    return `alone: ${term.word}${term.isPrefix ? '…' : ''}`
  })

describe('D-66: what the store is asked for, one after the other, until packs are found', () => {
  const near = ['near text', 'near pair', 'near any']
  const [both, open] = [
    ['alone: harbour', 'alone: ruver'],
    ['alone: harbour', 'alone: ruver', 'alone: ruver…'],
  ]
  it.each([
    ['one word', 'word ', ['name', 'text', 'any', 'alone: word', 'near text', 'near any']],
    ['two words: each alone at first', 'harbour ruver ', [...both, ...both, ...near]],
    ['the last goes on: not alone at first', 'harbour ruver', [both[0], ...open, ...near]],
    ['all there are', ' ', ['all']],
  ])('%s', async (_, q, kinds) => {
    const { asked, ask } = searching((search) =>
      isNear(search) && search.match[0]?.[0]?.kind === 'any'
        ? { packs: [aFound('Near')], next: null }
        : nothing,
    )
    await ask({ q })
    expect(kindsOf(asked)).toEqual(kinds)
  })

  it.each([
    ['of the same search', [aFound('One')], 9, ['name']],
    ['of the next one', Array.from({ length: 30 }, (_, at) => aFound(`${at}`)), null, ['text']],
  ])('on a page after another no word alone: that is %s', async (_, packs, next, kinds) => {
    const { asked, ask } = searching(() => ({ packs, next }))
    const first = await ask({ q: 'harbour ruver ' })
    const begun = asked.length
    expect(kindsOf(asked)).toEqual([...both, 'name'])
    await ask({ q: 'harbour ruver ', after: first.next ?? '' })
    expect(kindsOf(asked.slice(begun))).toEqual(kinds)
  })

  it.each([
    ['all there are', {}, 1],
    ['all there are, of nothing but spaces', { q: ' ' }, 1],
    ['not what words find', { q: 'word ' }, null],
    ['not what an unreadable time says', { older: 'yesterday' }, null],
  ])('packs of before a time: %s', async (_, query, after) => {
    const { asked, ask } = searching(() => nothing)
    await ask({ older: '1970-01-01T00:00:01.000Z', ...query })
    expect(asked[0]).toMatchObject({ after })
  })

  it('in the order of creation, all that any search would find at once', async () => {
    const { asked, ask } = searching(() => nothing)
    await ask({ q: 'word ', order: 'created' })
    expect(kindsOf(asked)).toEqual(['any', 'alone: word', 'near any', 'alone: word'])
    expect(asked.flatMap(({ except }) => except)).toEqual([])
  })
})

describe('a store that stops before it has found enough', () => {
  test('goes on where it stopped, in the same search', async () => {
    const { asked, ask } = searching(({ after }) => {
      if (after === null) return { packs: [], next: 5_000 }
      return after === 5_000 ? { packs: [aFound('Late')], next: 4_000 } : nothing
    })
    const first = await ask({ q: 'word ' })
    expect(first).toMatchObject({ packs: [], isNear: false, searched: 7 })
    const second = await ask({ q: 'word ', after: first.next ?? '' })
    expect(second.packs).toMatchObject([{ entry: { n: 'Late' } }])
    expect(asked.map(({ after }) => after)).toEqual([null, 5_000])
    expect(asked[0]?.match).toEqual(asked[1]?.match)
    expect(second.next).not.toBeNull()
  })

  test('near words are searched for only when no answer before had a pack', async () => {
    const stopping = (found: readonly IndexedPack[]) =>
      searching((search) => {
        if (isNear(search)) return { packs: [aFound('Near')], next: null }
        const isName = search.match[0]?.[0]?.kind === 'name'
        return isName && search.after === null ? { packs: found, next: 9 } : nothing
      })
    const empty = stopping([])
    const { next } = await empty.ask({ q: 'word ' })
    const near = await empty.ask({ q: 'word ', after: next ?? '' })
    // Each of its searches gives the same one here.
    expect(near.packs[0]).toMatchObject({ entry: { n: 'Near' } })
    expect(near.isNear).toBe(true)

    const some = stopping([aFound('Early')])
    const begun = await some.ask({ q: 'word ' })
    expect(begun.packs).toMatchObject([{ entry: { n: 'Early' } }])
    const end = await some.ask({ q: 'word ', after: begun.next ?? '' })
    expect(end).toMatchObject({ packs: [], next: null, isNear: false })
    expect(some.asked.some(isNear)).toBe(false)
  })

  test.each([
    ['of those that no pack has', ['ruver'], ['ruver']],
    ['of all, if each is in some pack', [], ['harbour', 'ruver']],
  ])('near words are those of words %s', async (_, missing: readonly string[], asked) => {
    const { ask, nearAsked } = searching((search) => {
      if (isNear(search)) return { packs: [aFound('Near')], next: null }
      const words = JSON.stringify(search.match)
      const isAlone = search.limit === 1 && !missing.some((word) => words.includes(word))
      return isAlone ? { packs: [aFound('Other')], next: null } : nothing
    })
    expect(await ask({ q: 'harbour ruver ' })).toMatchObject({
      packs: [{ entry: { n: 'Near' } }],
      isNear: true,
    })
    expect(new Set(nearAsked.flat())).toEqual(new Set(asked))
  })

  test('near words stay near words on the next page', async () => {
    const { ask } = searching((search) => {
      if (!isNear(search)) return nothing
      return search.after === null ? { packs: [aFound('One')], next: 3 } : nothing
    })
    const { next, ...first } = await ask({ q: 'word ' })
    expect(first).toMatchObject({ packs: [{ entry: { n: 'One' } }], isNear: true })
    expect(await ask({ q: 'word ', after: next ?? '' })).toMatchObject({
      packs: [{ entry: { n: 'One' } }],
      isNear: true,
    })
  })

  test('all words but one are the same, with the same near words, on the next page', async () => {
    const { asked, nearAsked, ask } = searching(({ match, limit, after }) => {
      const isMissing = JSON.stringify(match).includes('"ruver"')
      if (limit === 1) return isMissing ? nothing : { packs: [aFound('Other')], next: null }
      const isPart = match.length === 2 && match[0]?.[0]?.kind === 'any'
      return isPart && after === null ? { packs: [aFound('One')], next: 3 } : nothing
    })
    const { packs, next } = await ask({ q: 'harbour ruver lights ' })
    expect(packs).toMatchObject([{ entry: { n: 'One' } }])
    const [last, begun] = [asked.at(-1)!, asked.length]
    await ask({ q: 'harbour ruver lights ', after: next! })
    const again = asked.slice(begun).find(({ limit }) => limit > 1)
    expect(again).toMatchObject({ match: last.match, after: 3 })
    expect(new Set(nearAsked.flat())).toEqual(new Set(['ruver']))
  })

  test.each([4, 6, 12, 13, 100])(
    'D-75: after 12 ms of CPU time, a search of %i ms is the last one; the next answer goes on',
    async (searchMs) => {
      const finding = () => ({ packs: [aFound('One')], next: null })
      const whole = searching(finding)
      await whole.ask({ q: 'word ' })
      const { asked, ask } = searching(finding, searchMs)
      const { next } = await ask({ q: 'word ' })
      expect(asked).toEqual(whole.asked.slice(0, Math.floor(12 / searchMs) + 1))
      expect(next === null).toBe(asked.length === whole.asked.length)
      if (next === null) return
      const begun = asked.length
      await ask({ q: 'word ', after: next })
      expect(asked[begun]?.match).toEqual(whole.asked[begun]?.match)
    },
  )

  test('an answer has 30 packs, and says where the others begin', async () => {
    const many = Array.from({ length: 40 }, (_, at) => aFound(`Pack ${at}`))
    const { asked, ask } = searching(({ limit }) => ({ packs: many.slice(0, limit), next: null }))
    const { packs, next } = await ask({ q: 'word ' })
    expect(packs).toHaveLength(30)
    expect(asked).toHaveLength(1)
    await ask({ q: 'word ', after: next ?? '' })
    expect(asked[1]).toMatchObject({ after: null, except: [asked[0]?.match] })
  })
})
