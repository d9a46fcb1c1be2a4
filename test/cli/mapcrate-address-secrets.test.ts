import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { loadAll } from '../../src/cli/user/user-commands.ts'
import { freshFolder } from '../support/processes.ts'
import { runMapcrate } from '../support/run-mapcrate.ts'

const PASSWORD = 'hunter2'
const BODY = 'Sbs0M2e4vQ9xLkT7cYwZ1aBnH5jRpUdFgK8oXiE3Sb0'
const secrets = [PASSWORD, BODY.toLowerCase()]
const key = `packs_${BODY}`
const poolsKey = `pools_${BODY}`

/** Addresses that hold a secret. */
const addresses = [
  `http://bob:${PASSWORD}@127.0.0.1:1`,
  `http://${PASSWORD}@127.0.0.1:1/`,
  `bob:${PASSWORD}@packs.test`,
  `ftp://bob:${PASSWORD}@packs.test`,
  `https://bob:a/b?c#d@e${PASSWORD}@packs.test`,
  `https://packs.test/?token=${PASSWORD}`,
  `https://packs.test#${PASSWORD}`,
  key,
  poolsKey,
  key.slice(0, -5),
  key.toUpperCase(),
  `https://${key}`,
  `https://${key}/`,
  `http://packs.test/${key}`,
  `packs.test/${poolsKey}`,
  ` ${key}`,
]

const commands = (await loadAll()).map(({ name, words }) => ({ name, words }))

const argsOf = (name: string, words: readonly string[] = [], first = 'AAAAAAAAAA') => [
  ...name.split(' '),
  ...words.map((word, at) => (at === 0 && word === 'SLUG' ? first : 'AAAAAAAAAA')),
]

const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
  const error = { code: 'invalid_api_key', message: 'the key is wrong' }
  return Response.json({ error }, { status: 401 })
})
afterEach(() => fetched.mockClear())

type Call = { readonly args: readonly string[]; readonly env?: Record<string, string> }

const check = async ({ args, env = {} }: Call, input = '') => {
  const { stdout, stderr } = await runMapcrate(args, { env, input, cwd: await freshFolder() })
  const sent = JSON.stringify(
    fetched.mock.calls.map(([target]) => (target instanceof Request ? target.url : target)),
  )
  for (const secret of secrets) {
    for (const text of [stdout, stderr, sent]) {
      expect(text.toLowerCase(), args.join(' ')).not.toContain(secret.slice(0, 30))
    }
  }
}

describe.each(commands)('a secret is not repeated by mapcrate $name', ({ name, words }) => {
  const args = argsOf(name, words)

  it('where it is in the address of the environment', async () => {
    for (const address of addresses) {
      const env = { MAPCRATE_URL: address, MAPCRATE_POOLS_URL: address }
      await check({ args, env: { ...env, MAPCRATE_KEY: key, MAPCRATE_POOLS_KEY: poolsKey } })
      expect(fetched, address).not.toHaveBeenCalled()
      await check({ args, env })
    }
  })

  it('where it is in an address that was kept', async () => {
    for (const address of addresses) {
      const settings = await freshFolder()
      await mkdir(join(settings, 'mapcrate'))
      for (const file of ['login.json', 'pools-login.json']) {
        const kept = JSON.stringify({ address, key })
        await writeFile(join(settings, 'mapcrate', file), kept, { mode: 0o600 })
      }
      await check({ args, env: { XDG_CONFIG_HOME: settings } })
    }
  })

  it('where it is in an address in place of a word', async () => {
    const env = { MAPCRATE_URL: 'https://packs.test', MAPCRATE_POOLS_URL: 'https://pools.test' }
    for (const address of addresses.filter((each) => each.includes(PASSWORD))) {
      const given = argsOf(name, words, `${address}/p/AAAAAAAAAA`)
      await check({ args: given, env: { ...env, MAPCRATE_KEY: key, MAPCRATE_POOLS_KEY: poolsKey } })
    }
  })
})

describe('a secret is not repeated by login', () => {
  it.each(addresses)('from its lines: %s', async (address) => {
    for (const service of ['packs', 'pools']) {
      const args = ['login', '--service', service]
      await check({ args }, `${address}\n${key}\n`)
      await check({ args }, `${address}\nhttps://packs.test\n`)
      expect(fetched).not.toHaveBeenCalled()
    }
  })
})
