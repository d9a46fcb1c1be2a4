import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { endpointsOf } from '../../src/contract/services.ts'
import { sessionEndpointsOf } from '../../src/contract/session-api.ts'
import { hidePack, unhidePack } from '../../src/operations/moderation.ts'
import { type Day, openDay } from './tournament-day.ts'

/** What says how much of a quota the reader has left, and what they did last. */
const ofOneself = /GET \/session(?:\/(?:key|sessions|my-data))?$/

/** On PostgreSQL a statement takes longer, and the rules are the same. */
const isQuick = inject('engine') === 'sqlite'
const endings = isQuick ? ['', '/', '?page=2&x=1', '/more'] : ['']

let day: Day
beforeAll(async () => {
  day = await openDay()
})
afterAll(() => day.house.close())

describe('D-60: strangers, players, moderators and who was on the staff read of tournaments', () => {
  it('what was released to them, and no word of any draft, on a day with everything that hosts do', async () => {
    const { make, addRound, release, look, house } = day
    const glance = isQuick ? look : day.note
    const [open, secret, announced] = [await make(true), await make(false), await make(true, true)]
    const cups = [open, secret, announced]
    for (const cup of cups) {
      await release(cup, await addRound(cup))
      await addRound(cup, false)
      await day.schedule(cup, await addRound(cup))
      for (const round of cup.rounds) await day.discuss(cup, round)
    }
    for (const cup of cups) await day.dismiss(cup)
    const before = await look()

    // Whatever happens to drafts, nothing moves for others: no byte, no tag, no date.
    for (const cup of cups) {
      const [released, draft, scheduled] = cup.rounds
      await day.edit(cup, released!)
      await day.fill(cup, released!)
      if (!cup.isAnnounced) await day.edit(cup, draft!, false)
      await day.fill(cup, draft!)
      await day.fill(cup, scheduled!)
      await day.discuss(cup, draft!)
      if (!cup.isAnnounced) {
        await addRound(cup)
        await day.schedule(cup, cup.rounds.at(-1)!)
        await day.withdraw(cup, cup.rounds.at(-1)!)
      }
    }
    await day.rename(secret)
    const after = await look()
    for (const [path, seen] of before) {
      if (!ofOneself.test(path)) expect(after.get(path), path).toEqual(seen)
    }

    // What was released goes on as a draft, is released again, and withdrawn.
    for (const cup of cups) await release(cup, cup.rounds[0]!)
    await glance()
    for (const cup of cups) await day.edit(cup, cup.rounds[0]!)
    await day.withdraw(open, open.rounds[0]!)
    await day.withdraw(announced, announced.rounds[0]!)
    await glance()
    await release(open, open.rounds[0]!)
    for (const cup of cups) await day.come(cup, cup.rounds[2]!)
    await glance()

    // Moderators hide a tournament, and the pack of a round.
    await day.hide(open, 'hide')
    await day.rename(open)
    await day.edit(open, open.rounds[1]!)
    const pack = announced.rounds[2]!.released!
    await hidePack(house.ports, pack.packSlug)
    pack.isHidden = true
    await day.edit(announced, announced.rounds[2]!)
    await look()
    await release(announced, announced.rounds[2]!)
    await glance()
    await day.hide(open, 'unhide')
    await unhidePack(house.ports, pack.packSlug)
    announced.rounds[2]!.released!.isHidden = false
    await glance()

    // What was public becomes private, and the other way round.
    await day.patch(open, { visibility: 'private' })
    open.isPublic = false
    await day.patch(secret, { visibility: 'public' })
    secret.isPublic = true
    await day.patch(announced, { announceRounds: false })
    announced.isAnnounced = false
    await day.rename(open)
    await day.rename(announced)
    await look()
  })
  it('the same 404 for what is private, hidden or not released as for what is not there, whatever they try', async () => {
    const { house, outsiders } = day
    const [secret, hidden, open] = [
      await day.make(false),
      await day.make(true),
      await day.make(true),
    ]
    for (const cup of [secret, hidden, open]) {
      await day.release(cup, await day.addRound(cup))
      await day.addRound(cup)
      await day.schedule(cup, await day.addRound(cup))
      for (const round of cup.rounds) await day.discuss(cup, round)
      await day.dismiss(cup)
    }
    await day.hide(hidden, 'hide')
    const shut = [secret, hidden].flatMap(({ slug, rounds }) =>
      rounds.map(({ id }) => ({ slug, round: id })),
    )
    const drafts = open.rounds.slice(1).map(({ id }) => ({ slug: open.slug, round: id }))
    const item = day.items.at(-1)!
    const missing = 'AAAAAAAAAA'
    house.clock.nextMinute()
    for (const outsider of outsiders.filter(({ service }) => service === 'pools')) {
      const table = outsider.door === 'api' ? endpointsOf.pools : sessionEndpointsOf.pools
      const trials = [
        ...new Set(
          Object.values(table)
            .map(({ path }) => path)
            .filter((path) => path.includes('{slug}')),
        ),
        ...(outsider.door === 'api' ? [] : ['/t/{slug}', '/t/{slug}/edit', '/t/{slug}/staff']),
      ].flatMap((path) => endings.map((ending) => path + ending))
      for (const path of trials) {
        const isOfRound = path.includes('{round}')
        const at = (slug: string, round: string, id: string): string =>
          path
            .replace('{slug}', slug)
            .replace('{round}', round)
            .replace('{id}', id)
            .replace('{gameId}', '8001')
        const isExact = endings.slice(1).every((ending) => !path.endsWith(ending))
        for (const [method, body, headers] of isExact ? tries : statelessTries) {
          const nothing = await outsider.ask(method, at(missing, missing, missing), body, headers)
          // A page that only asks to sign in is the same for all.
          if (!path.startsWith('/t/'))
            expect(nothing.status, `${method} ${path}`).toBeGreaterThan(399)
          // Moderators see what they have hidden, and show it again.
          const isTheirs = /\/moderation\/|^\/t\/\{slug\}(?:\?.*)?$/.test(path)
          const ofHidden = outsider.isModerator && isTheirs ? [] : shut.slice(secret.rounds.length)
          const hiddenOnes = [...shut.slice(0, secret.rounds.length), ...ofHidden]
          for (const { slug, round } of isOfRound
            ? [...hiddenOnes, ...drafts]
            : [hiddenOnes[0]!, hiddenOnes.at(-1)!]) {
            const answer = await outsider.ask(method, at(slug, round, item), body, headers)
            expect(answer, `${outsider.name} ${method} ${path} ${slug} ${round}`).toEqual(nothing)
          }
        }
      }
    }
  })
})

/** Without and with a body that each endpoint takes, in a state or in none. */
const aSlotChange = { mod: 'NM', index: 1, from: null, to: null }
const whole = {
  name: 'Quarterfinals',
  role: 'host',
  at: 'now',
  vote: 1,
  mod: 'NM',
  index: 1,
  beatmapId: 75,
  text: 'so it is',
  settled: true,
  reason: 'spam',
  rounds: [],
  changes: [aSlotChange],
}
const tries: readonly (readonly [
  method: string,
  body?: unknown,
  headers?: Record<string, string>,
])[] = [
  ['GET'],
  ['GET', undefined, { 'if-none-match': '*' }],
  ['POST', whole],
  ['PUT', whole],
  ['PUT', whole, { 'if-match': '*' }],
  ['PATCH', whole, { 'if-match': '"0"' }],
  ['DELETE'],
  ['DELETE', undefined, { 'if-match': '*' }],
]
/** What a state adds is decided behind the path. */
const statelessTries = tries.filter(([, , headers]) => headers === undefined)
