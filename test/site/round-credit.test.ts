import { textsIn } from '../../src/site/language.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { POOLS_OWNER, type RoundOfPack } from '../../src/contract/page-data.ts'
import { SYSTEM_ACCOUNT_ID } from '../../src/domain/accounts.ts'
import { placeOf } from '../../src/domain/tournament-views.ts'
import { asOperator } from '../../src/domain/moderation.ts'
import { moderateTournament, updateTournament } from '../../src/operations/tournaments.ts'
import { creditOf, sceneOf } from '../../src/site/preview/scene.ts'
import { type IndexLoop, startIndexLoop } from '../../src/worker/search-index.ts'
import { openTournament } from '../support/public-tournament.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { until } from '../support/until.ts'

const LABEL = 'Tournament pools'
const CREDIT = 'Grand Finals of Harbour Lights Cup'

let house: SiteHouse
let loop: IndexLoop
let hostId: string

beforeAll(async () => {
  house = await openSiteHouse()
  const { indexCache, ports } = house
  const silent = { warn: () => {}, error: () => {} }
  loop = startIndexLoop(ports, { indexCache, poolsOwnerName: LABEL }, silent)
  await loop.ready
  hostId = (await house.signedIn(7002, 'pools')).viewer!.id
})
afterAll(async () => {
  await loop.stop()
  await house.close()
})

const slots = [{ mod: 'NM', index: 1, beatmapId: 101 }]

let pinnedRank = 100

const release = async () => {
  house.clock.nextMinute()
  const made = await openTournament(house.ports, hostId, {}, [
    { name: 'Grand Finals', slots, at: 'now' },
  ])
  const { packSlug } = made.rounds[0]!
  // The front page shows the first one that is pinned.
  pinnedRank -= 1
  await house.ports.packs.moderate(packSlug, ({ hiddenAt, hiddenReason }) => ({
    hiddenAt,
    hiddenReason,
    pinnedRank,
  }))
  return { slug: made.slug, packSlug }
}

/** Everything that says whose a pack is, but the page itself, which its script shows. */
const readPlaces = async (packSlug: string) => {
  const stranger = house.browser()
  const { text: page } = await stranger.open(`/p/${packSlug}`)
  const { text: front } = await stranger.open('/')
  const [, data = ''] = /id="page-data">(.*?)<\/script>/s.exec(front) ?? []
  const shown = JSON.parse(data) as { pack: { ownerName: string }; round?: RoundOfPack }
  const feed = await until(async () => {
    const { text } = await stranger.open('/packs.atom')
    return text.includes(packSlug) && text
  })
  const entry = feed.split('<entry>').find((each) => each.includes(packSlug)) ?? ''
  const pack = (await house.ports.packs.read(packSlug))!
  const of = await house.ports.tournaments.findByPack(packSlug)
  const tournament = of === null ? null : await house.ports.tournaments.read(of)
  const round = tournament && placeOf(tournament, packSlug)
  return {
    head: page.slice(0, page.indexOf('application/json" id="page-data"')),
    entry,
    front: shown.round
      ? `${shown.round.name} of ${shown.round.tournament.name}`
      : `by ${shown.pack.ownerName}`,
    history: (await stranger.open(`/p/${packSlug}/history.atom`)).text,
    picture: sceneOf(pack, [null], LABEL, round, textsIn('en')).credit.replaceAll(
      /[\u2068\u2069]/g,
      '',
    ),
  }
}

describe('whose the pack of a round is', () => {
  test('is said by its round and its tournament, wherever it is said to people', async () => {
    const { slug, packSlug } = await release()
    const places = await readPlaces(packSlug)
    for (const [place, text] of Object.entries(places)) {
      expect([place, text.includes(CREDIT)]).toEqual([place, true])
      expect([place, text.includes(LABEL)]).toEqual([place, false])
    }
    // For search engines, it is a part of the tournament.
    expect(places.head).toContain(`"url":"${house.urls.pools}/t/${slug}"`)
  })

  test.each(['private', 'hidden'])(
    'names no tournament that is %s, from the moment it is',
    async (how) => {
      const { slug, packSlug } = await release()
      await readPlaces(packSlug)
      if (how === 'private') {
        await updateTournament(house.ports, hostId, slug, { visibility: 'private' })
      } else {
        await moderateTournament(house.ports, slug, 'hide', asOperator('spam'))
      }
      for (const [place, text] of Object.entries(await readPlaces(packSlug))) {
        expect([place, text.includes(CREDIT)]).toEqual([place, false])
        expect([place, text.includes(LABEL)]).toEqual([place, true])
      }
    },
  )

  test('is the label in the API (spec 2.2)', async () => {
    const { packSlug } = await release()
    const { json } = await (await house.signedIn(7001)).ask('GET', `/session/packs/${packSlug}`)
    expect(json.pack.ownerName).toBe(LABEL)
  })

  test('is the owner for every other pack', () => {
    const pack = { ownerId: 'a', ownerUsername: 'Ada' }
    expect(creditOf(pack, null, LABEL, textsIn('en'))).toBe('by Ada')
  })

  test('is in words of the language for the usual label, and a label of the operator is a name', () => {
    const pack = { ownerId: SYSTEM_ACCOUNT_ID, ownerUsername: null }
    expect(creditOf(pack, null, POOLS_OWNER, textsIn('en'))).toContain('Tournament pools')
    expect(creditOf(pack, null, POOLS_OWNER, textsIn('es'))).toContain('Pools de torneos')
    expect(creditOf(pack, null, 'Cup Pools', textsIn('es'))).toContain('Cup Pools')
  })
})
