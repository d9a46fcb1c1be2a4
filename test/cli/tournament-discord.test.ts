import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DISCORD_URL_EXAMPLE } from '../../src/contract/announcements.ts'
import type { Host } from '../support/house.ts'
import { freshFolder } from '../support/processes.ts'
import { runMapcrate } from '../support/run-mapcrate.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { envOf } from '../support/tournament-house.ts'

const ADDRESS = DISCORD_URL_EXAMPLE.replaceAll(
  'token-of-the-webhook',
  'secret-of-the-channel'.slice(0, 20),
)
/** As the service keeps it. */
const KEPT = ADDRESS.replace('/api/', '/api/v10/')

let house: SiteHouse
let host: Host
let slug: string

const newTournament = async (owner: Host): Promise<string> =>
  (await owner.ask('POST', '/tournaments', { body: { name: 'Cup' } })).json.tournament.slug

beforeAll(async () => {
  house = await openSiteHouse({ sendsToDiscord: true })
  host = await house.hostOf(7, 'Ada', 'pools')
  slug = await newTournament(host)
})
afterAll(() => house.close())

/** Sets `--discord` of the tournament; nothing that is printed ever has the address. */
const set = async (file: string, input?: string, ...args: string[]) => {
  house.clock.nextMinute()
  const words = ['tournament', 'set', slug, '--discord', file, ...args]
  const options = { env: envOf(host), ...(input !== undefined && { input }) }
  const ended = await runMapcrate(words, options)
  expect(ended.stdout + ended.stderr).not.toContain('secret-of')
  return ended
}
const addressNow = async (): Promise<string | undefined> =>
  (await house.ports.tournaments.read(slug))?.discord?.address.reveal()

describe('mapcrate tournament set --discord (D-97)', () => {
  it('sets the address that stdin has, and says that releases are announced', async () => {
    const { code, stdout } = await set('-', `${ADDRESS}\n`)
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('\nReleases are announced on Discord.\n'),
    })
    expect(await addressNow()).toBe(KEPT)
  })

  it('sets the address that a file has, with what else is changed', async () => {
    const file = join(await freshFolder(), 'webhook.txt')
    await writeFile(file, `\ufeff${ADDRESS}?thread_id=112233445566778899\r\n`)
    const { stdout } = await set(file, undefined, '--year', '2026', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ year: 2026, discord: true })
    expect(await addressNow()).toBe(`${KEPT}?thread_id=112233445566778899`)
  })

  it('removes it where the value is empty', async () => {
    await set('-', ADDRESS)
    const { code, stdout } = await set('')
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.not.stringContaining('Disc') })
    expect(await addressNow()).toBeUndefined()
  })

  it('takes no address as an argument, which a shell would keep: exit 2', async () => {
    const { code, stderr } = await set(ADDRESS)
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--discord takes a file with the URL, or - for stdin'),
    })
  })

  it.each([
    ['nothing', '\n', 'one URL'],
    ['two addresses', `${ADDRESS}\n${ADDRESS}\n`, 'one URL'],
    ['another address', 'https://chat.example/api/webhooks/1/secret-of', 'of the form'],
  ])('exits 1 where the file has %s, and changes nothing', async (_, input, reason) => {
    const before = await addressNow()
    const { code, stderr } = await set('-', input)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) })
    expect(await addressNow()).toBe(before)
  })
})
