import { API_PREFIX, CSRF_HEADER } from '../../src/contract/endpoint.ts'
import { SEARCH_INDEX_PATH } from '../../src/contract/search-index.ts'
import { endpointsOf, type ServiceName, serviceNames } from '../../src/contract/services.ts'
import { sessionEndpointsOf } from '../../src/contract/session-api.ts'
import { serviceCookie } from '../../src/door/cookies.ts'
import { issueKey } from '../../src/operations/keys.ts'
import { findViewer, signIn } from '../../src/operations/sessions.ts'
import { packsFeed, pagesOf } from '../../src/site/pages/page-table.ts'
import { anArrival, aPlayer } from '../support/signed-in.ts'
import { ask as httpAsk } from '../support/http.ts'
import type { SiteHouse } from '../support/site-house.ts'

/** All of an answer that says something: not when it was sent, and not what is left of a quota. */
export type Seen = {
  readonly status: number
  readonly headers: readonly string[]
  readonly text: string
}

/** Somebody who is on no staff, with a key or in a browser. */
export type Outsider = {
  readonly name: string
  readonly service: ServiceName
  readonly door: 'api' | 'site'
  readonly isModerator: boolean
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Seen>
}

/** What there is to ask for. */
export type Known = {
  readonly tournaments: readonly { readonly slug: string; readonly rounds: readonly string[] }[]
  readonly packs: readonly string[]
  readonly items: readonly string[]
}

/** With a request on the next day, a session begins its time again. */
const volatile =
  /^(?:date|set-cookie|x-request-id|ratelimit-.*|retry-after|connection|keep-alive|transfer-encoding)$/

/** Visitors, players and a moderator, before both services. */
export const openOutsiders = async (
  house: SiteHouse,
  players: Readonly<Record<string, number>>,
  moderator: string,
): Promise<Outsider[]> => {
  const outsiders: Outsider[] = []
  const add = (
    name: string,
    service: ServiceName,
    door: Outsider['door'],
    own: Readonly<Record<string, string>>,
  ): void => {
    const root = house.urls[service] + (door === 'api' ? API_PREFIX : '')
    outsiders.push({
      name: `${name} on the ${door} of ${service}`,
      service,
      door,
      isModerator: name === moderator,
      ask: async (method, path, body, headers) => {
        const all = { ...own, ...(body !== undefined && jsonType), ...headers }
        const json = body === undefined ? undefined : JSON.stringify(body)
        for (;;) {
          const answer = await httpAsk(method, root + path, { headers: all, body: json })
          if (answer.status === 429) {
            house.clock.nextMinute()
            continue
          }
          const headersSeen = [...answer.headers].filter(([key]) => !volatile.test(key))
          return {
            status: answer.status,
            headers: headersSeen.map((pair) => pair.join(': ')),
            text: answer.text,
          }
        }
      },
    })
  }
  for (const service of serviceNames) {
    add('a visitor', service, 'site', {})
    for (const [name, gameId] of Object.entries(players)) {
      const username = `player ${gameId}`
      const platform = { readPlayer: async () => aPlayer({ gameId, username }) }
      const address = { redirectUri: `${house.urls[service]}/sign-in/callback` }
      const wish = { ...anArrival, ...address, service }
      const arrival = await signIn({ ...house.ports, platform }, wish)
      if (arrival.outcome !== 'signed_in') throw new Error(arrival.outcome)
      const { csrf } = (await findViewer(house.ports, service, arrival.token))!
      const cookie = `${serviceCookie(service, 'session')}=${arrival.token}`
      add(name, service, 'site', { cookie, origin: house.urls[service], [CSRF_HEADER]: csrf })
      const key = await issueKey(house.ports, { service, keyPrefix: service, gameId, username })
      add(name, service, 'api', { authorization: `Bearer ${key}` })
    }
  }
  return outsiders
}

const jsonType = { 'content-type': 'application/json' }

/** Every path with GET of the service, for everything that there is: from the contract, so that none is forgotten. */
export const pathsOf = ({ service, door }: Outsider, known: Known): string[] => {
  const table = door === 'api' ? endpointsOf[service] : sessionEndpointsOf[service]
  const reading = Object.values(table).filter(({ method }) => method === 'GET')
  const ofEndpoints = reading.flatMap(({ path, paged }) => {
    const filled = fill(path, known)
    return paged ? filled.flatMap((each) => [each, `${each}?page=2`]) : filled
  })
  if (door === 'api') return ofEndpoints
  const same = ['/healthz', ...pagesOf[service].map(({ path }) => path)]
  const own =
    service === 'packs'
      ? [
          packsFeed.path,
          SEARCH_INDEX_PATH,
          ...known.packs.flatMap((slug) =>
            on(`/p/${slug}`, ['', '/edit', '/history', '/history.atom']),
          ),
        ]
      : [
          '/',
          '/my',
          ...known.tournaments.flatMap(({ slug }) => on(`/t/${slug}`, ['', '/edit', '/staff'])),
        ]
  return [...ofEndpoints, ...same, ...own]
}

const on = (path: string, ends: readonly string[]): string[] => ends.map((end) => path + end)

/** The path for each thing that it may be about; those of tournaments for each round. */
export const fill = (path: string, { tournaments, packs, items }: Known): string[] => {
  const ofItem = path.includes('{id}')
    ? items.map((item) => path.replace('{id}', item))
    : [path.replace('{token}', 'A'.repeat(43)).replace('{version}', '1').replace('{gameId}', '7')]
  return ofItem.flatMap((each) => {
    if (!each.includes('{slug}')) return [each]
    if (!each.includes('/tournaments/')) return packs.map((slug) => each.replace('{slug}', slug))
    return tournaments.flatMap(({ slug, rounds }) => {
      const one = each.replace('{slug}', slug)
      return one.includes('{round}') ? rounds.map((id) => one.replace('{round}', id)) : [one]
    })
  })
}
