import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { CSRF_HEADER } from '../../src/contract/endpoint.ts'
import type { SiteHouse } from '../support/site-house.ts'
import type { Account, Caller } from './model.ts'

export type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
  readonly json: any
}

/** Somebody at a door. `site`: a browser, with a session unless nobody is signed in. */
export type Reader = {
  readonly name: string
  readonly caller: Caller
  readonly door: 'api' | 'site'
  ask(method: string, path: string, ask?: Ask): Promise<Answer>
}

type Ask = { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }

const agent = new Agent({ keepAlive: true })

/** `fetch` takes three times as long, and this is called a few hundred thousand times. */
const send = (
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('error', reject)
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString()
        const isJson = answer.headers['content-type']?.startsWith('application/json')
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text,
          json: isJson && text !== '' ? JSON.parse(text) : undefined,
        })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })

const atDoor = (
  url: string,
  own: Readonly<Record<string, string>>,
  { name, caller, door }: Pick<Reader, 'name' | 'caller' | 'door'>,
): Reader => ({
  name,
  caller,
  door,
  ask: (method, path, { body, headers = {} } = {}) => {
    const json = body === undefined ? undefined : JSON.stringify(body)
    const type = json !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(json)),
    }
    return send(method, url + path, { ...own, ...type, ...headers }, json)
  },
})

const players: Readonly<Record<Account, number>> = { ada: 7001, ben: 7002, mod: 7003 }

/** Three players, the last one a moderator, each with a key and a session, and a visitor. */
export const openReaders = async (house: SiteHouse) => {
  const accounts = Object.keys(players) as Account[]
  const { urls } = house
  const names = {} as Record<Account, string>
  const readers: Reader[] = [
    atDoor(urls.packs, {}, { name: 'a visitor', caller: null, door: 'site' }),
  ]
  for (const account of accounts) {
    const gameId = players[account]
    const browser = await house.signedIn(gameId)
    const { username, csrf } = browser.viewer!
    names[account] = username
    const { key } = await house.hostOf(gameId, username)
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const own = { cookie, origin: browser.origin, [CSRF_HEADER]: csrf }
    const of = (door: Reader['door']) => ({
      name: `${account} on the ${door}`,
      caller: account,
      door,
    })
    readers.push(
      atDoor(`${urls.packs}/api/v1`, { authorization: `Bearer ${key}` }, of('api')),
      atDoor(urls.packs, own, of('site')),
    )
  }
  await house.ports.accounts.setModerator(players.mod, true, house.clock.now())
  const find = (account: Account, door: Reader['door']): Reader =>
    readers.find((reader) => reader.caller === account && reader.door === door)!
  return { readers, names, find }
}

export type Readers = Awaited<ReturnType<typeof openReaders>>
