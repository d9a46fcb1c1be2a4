import { beforeAll, expect, test } from 'vitest'
import { Browser, pageDataOf } from '../support/browser.ts'
import { buildPages } from '../support/build-pages.ts'
import { freshFolder, runCli, startServer } from '../support/processes.ts'

const HOST_OF_DEMONSTRATION = 999_999_999
const MODERATOR = 7003

beforeAll(() => void buildPages(), 60_000)

/** Picks a player on the stand-in's page, as its form does; gives the way back. */
const agree = async (address: string, player: number): Promise<string> => {
  const { origin, searchParams } = new URL(address)
  const answer = await fetch(`${origin}/oauth/authorize`, {
    method: 'POST',
    body: new URLSearchParams({ ...Object.fromEntries(searchParams), player: String(player) }),
    redirect: 'manual',
  })
  return answer.headers.get('location') ?? ''
}

const signIn = async (url: string, player: number): Promise<Browser> => {
  const browser = new Browser(url, url)
  const begun = await browser.open('/sign-in?return=/me')
  const back = await agree(begun.headers.get('location') ?? '', player)
  expect(back).toMatch(new RegExp(`^${url}/sign-in/callback\\?`))
  expect((await browser.open(back.slice(url.length))).headers.get('location')).toBe('/me')
  await browser.look()
  return browser
}

test('both sites stand on their services, with the pages as they were built', async () => {
  const server = await startServer(await freshFolder())
  for (const [{ url }, path] of [
    [server.packs, '/packs'],
    [server.pools, '/account'],
  ] as const) {
    const page = await new Browser(url, url).open(path)
    expect(page.status).toBe(200)
    expect(pageDataOf(page)).toMatchObject({
      siteUrl: server.packs.url,
      apiUrl: server.packs.url,
      poolsUrl: server.pools.url,
    })
    const files = [...page.text.matchAll(/ (?:src|href)="(\/assets\/[^"]+)"/g)].map(
      ([, file]) => file ?? '',
    )
    expect(files.length).toBeGreaterThan(2)
    for (const file of files) {
      const answer = await fetch(url + file)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cache-control')).toContain('immutable')
    }
  }
})

test('covers come from the stand-in while it is the platform', async () => {
  const { packs } = await startServer(await freshFolder())
  const page = await new Browser(packs.url, packs.url).open('/packs')
  const { coversUrl } = pageDataOf(page)
  const policy = page.headers.get('content-security-policy')
  expect(policy).toContain(`img-src 'self' ${new URL(coversUrl).origin} data:`)
  expect((await fetch(`${coversUrl}/beatmaps/1/covers/list.jpg`)).status).toBe(200)
})

test.each(['127.0.0.1', 'localhost'])(
  'on http://%s the host of the demonstration signs in and finds the packs of the first run',
  async (name) => {
    const { packs, pools } = await startServer(await freshFolder())
    const url = packs.url.replace('127.0.0.1', name)
    const browser = await signIn(url, HOST_OF_DEMONSTRATION)
    expect((await browser.ask('GET', '/session/packs')).json.total).toBe(3)
    const there = await signIn(pools.url.replace('127.0.0.1', name), HOST_OF_DEMONSTRATION)
    const { key } = (await there.ask('POST', '/session/key')).json
    expect((await pools.ask('GET', '/me', { key })).json.user.username).toBe('Demonstration')
  },
)

test('the command that the greeting names makes a moderator of the stand-in’s', async () => {
  const folder = await freshFolder()
  const server = await startServer(folder)
  const words = /npx mapcrate-server (moderator .*)$/m.exec(server.process.stdout)?.[1] ?? ''
  expect((await runCli(folder, words.split(' '))).code).toBe(0)
  const browser = await signIn(server.packs.url, MODERATOR)
  expect(browser.viewer?.isModerator).toBe(true)
  expect((await browser.ask('GET', '/session/moderation/packs')).json.total).toBe(5)
})
