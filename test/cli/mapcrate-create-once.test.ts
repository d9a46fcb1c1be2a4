import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { openFaultProxy } from '../client/fault-proxy.ts'
import { openHouse } from '../support/house.ts'
import { freshFolder } from '../support/processes.ts'
import { runMapcrate } from '../support/run-mapcrate.ts'

const house = await openHouse()
const proxies = {
  packs: await openFaultProxy(house.doors.packs.url),
  pools: await openFaultProxy(house.doors.pools.url),
}
afterAll(async () => {
  await Promise.all([proxies.packs.close(), proxies.pools.close()])
  await house.close()
})

beforeEach(() => house.clock.nextMinute())

const open = async () => {
  const folder = await freshFolder()
  const settings = await freshFolder()
  await writeFile(join(folder, 'finals.txt'), 'NM1 129891\nNM2 75\n')
  const [packs, pools] = [await house.host(), await house.host('pools')]
  const env = {
    MAPCRATE_URL: proxies.packs.url,
    MAPCRATE_KEY: packs.key,
    MAPCRATE_POOLS_URL: proxies.pools.url,
    MAPCRATE_POOLS_KEY: pools.key,
    XDG_CONFIG_HOME: settings,
  }
  const run = (args: readonly string[]) => runMapcrate(args, { cwd: folder, env })
  const journal = () => readdir(join(settings, 'mapcrate/imports'))
  const counts = {
    packs: async () => (await packs.get('/me/packs')).json.total as number,
    pools: async () => (await pools.get('/me/tournaments')).json.total as number,
  }
  return { run, journal, counts }
}

/** All commands that make something that may be there twice. */
const makings = [
  ['packs', ['create', 'finals.txt', '--name', 'Twice']],
  ['packs', ['import', 'finals.txt', '--name', 'Twice']],
  ['pools', ['tournament', 'new', 'Harbour Lights Cup']],
] as const

/** More than are sent, what looks beatmaps up among them. */
const lost = Array.from({ length: 20 }, () => 'lose' as const)

describe.each(makings)('on the service of %s, mapcrate %j', (service, args) => {
  it('run again after its answer was lost makes nothing twice; once it has ended, it does', async () => {
    const { run, journal, counts } = await open()
    const failed = await withLost(service, () => run(args))
    expect([failed.code, failed.stdout]).toEqual([1, ''])
    expect(await counts[service]()).toBe(1)
    const again = await run(args)
    expect(again.code, again.stderr).toBe(0)
    expect(await counts[service]()).toBe(1)
    expect(await journal()).toEqual([])
    expect((await run(args)).code).toBe(0)
    expect(await counts[service]()).toBe(2)
  })
})

const withLost = async <T>(service: 'packs' | 'pools', work: () => Promise<T>): Promise<T> => {
  proxies[service].expect(...lost)
  try {
    return await work()
  } finally {
    proxies[service].expect()
  }
}

it('what was refused leaves nothing behind', async () => {
  const { run, journal } = await open()
  const { code } = await run(['tournament', 'new', 'Cup', '--from', 'AAAAAAAAAA'])
  expect(code).toBe(1)
  expect(await journal()).toEqual([])
})
