import { chmod, readdir, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Host, openHouse } from '../support/house.ts'
import { freshFolder } from '../support/processes.ts'
import { inTerminal, runMapcrate } from '../support/run-mapcrate.ts'

const house = await openHouse()
const url = house.doors.packs.url
let host: Host

beforeAll(async () => {
  host = await house.hostOf(7, 'Ada')
})
afterAll(() => house.close())

/** Settings in which somebody is logged in. */
const loggedIn = async (): Promise<string> => {
  const settings = await freshFolder()
  const input = `${url}\n${host.key}\n`
  const { code } = await runMapcrate(['login'], { input, env: { XDG_CONFIG_HOME: settings } })
  expect(code).toBe(0)
  return settings
}

describe('login by pipe', () => {
  it('tries address and key, and keeps them where their owner alone can read them', async () => {
    const settings = await freshFolder()
    const input = `${url}\n${host.key}\n`
    const ending = await runMapcrate(['login'], { input, env: { XDG_CONFIG_HOME: settings } })
    const file = join(settings, 'mapcrate/login.json')
    expect(ending).toMatchObject({
      code: 0,
      stdout: `Logged in to ${url} as Ada; kept in ${file}\n`,
      stderr: '',
    })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(join(settings, 'mapcrate'))).mode & 0o777).toBe(0o700)
    expect(await readdir(join(settings, 'mapcrate'))).toEqual(['login.json'])
    const me = await runMapcrate(['me'], { env: { XDG_CONFIG_HOME: settings } })
    expect(me).toMatchObject({ code: 0, stdout: `Ada, player 7, at ${url}\n`, stderr: '' })
  })

  it.each(['settings', './settings', '.'])(
    'keeps it at home where %j is no absolute folder',
    async (relative) => {
      const [home, cwd] = [await freshFolder(), await freshFolder()]
      const env = { HOME: home, XDG_CONFIG_HOME: relative }
      const input = `${url}\n${host.key}\n`
      const { code, stdout } = await runMapcrate(['login'], { input, env, cwd })
      expect(code).toBe(0)
      expect(stdout).toContain(`kept in ${home}/`)
      expect(await readdir(cwd)).toEqual([])
      expect((await runMapcrate(['me'], { env })).code).toBe(0)
    },
  )

  it('keeps nothing when the key is not one of the site', async () => {
    const settings = await loggedIn()
    const before = await readFile(join(settings, 'mapcrate/login.json'), 'utf8')
    const wrong = `${host.key.slice(0, -4)}zzzz`
    const env = { XDG_CONFIG_HOME: settings }
    const ending = await runMapcrate(['login'], { input: `${url} ${wrong}`, env })
    expect(ending.code).toBe(1)
    expect(ending.stderr).toMatch(/log in again with: mapcrate login\n$/)
    expect(ending.stdout + ending.stderr).not.toContain(wrong)
    expect(await readFile(join(settings, 'mapcrate/login.json'), 'utf8')).toBe(before)
  })

  describe('with the address or the key of the other service', () => {
    const services = ['packs', 'pools'] as const
    const all = services.flatMap((wanted) =>
      services.flatMap((site) => services.map((ofKey) => ({ wanted, site, ofKey }))),
    )
    const login = { packs: 'mapcrate login', pools: 'mapcrate login --service pools' }
    const titles = { packs: 'packs service', pools: 'tournament-pools service' }

    it.each(all)('$wanted, at $site, with a key of $ofKey', async ({ wanted, site, ofKey }) => {
      const player = await house.hostOf(9, 'Ben', ofKey)
      const env = { XDG_CONFIG_HOME: await freshFolder() }
      const address = house.doors[site].url
      const input = `${address}\n${player.key}\n`
      const { code, stderr } = await runMapcrate(['login', '--service', wanted], { input, env })
      const settings = {
        ...env,
        [wanted === 'packs' ? 'MAPCRATE_URL' : 'MAPCRATE_POOLS_URL']: address,
      }
      const key = { [wanted === 'packs' ? 'MAPCRATE_KEY' : 'MAPCRATE_POOLS_KEY']: player.key }
      const me = await runMapcrate(['me', '--service', wanted], { env: { ...settings, ...key } })
      if (wanted === site && site === ofKey) {
        expect([code, me.code]).toEqual([0, 0])
        return
      }
      // A service takes its own key, whatever it is called; login asks for what that one alone has.
      if (site === ofKey) {
        expect([code, me.code]).toEqual([1, 0])
        expect(stderr).toBe(
          `mapcrate login: ${address} is a ${titles[site]}, which takes this key; to log in to it: ${login[site]}\n`,
        )
        expect(await readdir(env.XDG_CONFIG_HOME)).toEqual([])
        return
      }
      expect([code, me.code]).toEqual([1, 1])
      const question = `the key was refused by a ${titles[site]}; is the address that of the ${titles[wanted]}? Log in again with: ${login[wanted]}\n`
      const refusal = new RegExp(
        `^this is a key of the ${titles[ofKey]}, .* send the key of the ${titles[wanted]}: .*; log in again with: ${login[wanted]}\n$`,
      )
      for (const [name, said] of [
        ['login', stderr],
        ['me', me.stderr],
      ] as const) {
        const text = said.replace(`mapcrate ${name}: `, '')
        if (wanted === site) expect(text).toMatch(refusal)
        else expect(text).toBe(question)
      }
    })
  })

  it.each(['/packs', '/p/q7Jm2_xT0a', '/docs/api'])(
    'names the address of the site in place of that of its page %s',
    async (page) => {
      const env = { XDG_CONFIG_HOME: await freshFolder() }
      const ending = await runMapcrate(['login', url + page], { input: `${host.key}\n`, env })
      expect(ending).toMatchObject({ code: 1, stdout: '' })
      expect(ending.stderr).toMatch(/^mapcrate login: there is no service at http:\S+; /)
      expect(ending.stderr).toContain(`; give the address of the site alone: ${url}\n`)
    },
  )

  it('takes the address from its arguments, before that of the environment', async () => {
    const env = { XDG_CONFIG_HOME: await freshFolder(), MAPCRATE_URL: 'https://packs.test' }
    const ending = await runMapcrate(['login', `${url}/account`], { input: `${host.key}\n`, env })
    expect(ending).toMatchObject({ code: 0, stderr: '' })
    expect(ending.stdout).toContain(`Logged in to ${url} as Ada; kept in `)
  })

  it.each([
    [[], '', /two lines: the address and the key/],
    [[], 'one-line\n', /two lines: the address and the key/],
    [[], 'ftp://packs.test\nkey\n', /no address of a service/],
    [['ftp://packs.test'], 'key\n', /no address of a service/],
    [['https://packs.test'], '', /one line: the key/],
    [['https://packs.test'], 'https://packs.test\nkey\n', /one line: the key/],
    [['https://packs.test', 'once', 'more'], '', /"once" is one too many/],
  ])('refuses %j with %j', async (words, input, reason) => {
    const { code, stderr } = await runMapcrate(['login', ...words], { input })
    expect(stderr).toMatch(reason)
    expect(code).toBeGreaterThan(0)
  })
})

it.each([[[]], [['https://packs.test']], [['https://packs.test', 'more']]])(
  'a key as an argument behind %j is refused, and not printed again',
  async (words) => {
    const { code, stdout, stderr } = await runMapcrate(['login', ...words, host.key])
    expect(stderr).not.toContain(host.key.slice(6))
    expect([code !== 0, stdout]).toEqual([true, ''])
  },
)

describe('login in a terminal', () => {
  it('asks for both, and shows nothing of the key', async () => {
    const settings = await freshFolder()
    const { code, screen } = await inTerminal(
      ['login'],
      [
        [/Address[^\n]*: /, `${url}/account\r`],
        [/Key: /, `${host.key}x\u007F\r`],
      ],
      { env: { XDG_CONFIG_HOME: settings } },
    )
    expect(screen).toContain(`Your key is made at ${url}/account`)
    expect(screen).toContain(`Logged in to ${url} as Ada`)
    expect(screen).not.toContain(host.key.slice(0, 12))
    expect(screen).not.toContain(host.key.slice(-12))
    expect(code).toBe(0)
    expect(await readFile(join(settings, 'mapcrate/login.json'), 'utf8')).toContain(host.key)
  })

  it('ends at Ctrl+C, at either question, and keeps nothing', async () => {
    const settings = await freshFolder()
    const env = { XDG_CONFIG_HOME: settings }
    const first = await inTerminal(['login'], [[/Address[^\n]*: /, '\u0003']], { env })
    expect(first.code).toBe(130)
    const second = await inTerminal(['login'], [[/Key: /, 'half\u0003']], {
      env: { ...env, MAPCRATE_URL: url },
    })
    expect(second.code).toBe(130)
    expect(second.screen).not.toContain('half')
    expect(await readdir(settings)).toEqual([])
  })
})

describe('a key', () => {
  it('in the environment goes before one that is kept, with white space around it, too', async () => {
    const settings = await loggedIn()
    const other = await house.hostOf(8, 'Peridot')
    const env = { XDG_CONFIG_HOME: settings, MAPCRATE_KEY: `${other.key} \r` }
    const { stdout } = await runMapcrate(['me', '--json'], { env })
    expect(JSON.parse(stdout)).toMatchObject({ gameId: 8, username: 'Peridot' })
  })

  it('at an address where something else answers leads to the address', async () => {
    const server = createServer((_, response) => response.end('Sign in to the Wi-Fi'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const env = { MAPCRATE_URL: `http://127.0.0.1:${port}`, MAPCRATE_KEY: host.key }
    const { code, stderr } = await runMapcrate(['me'], { env })
    expect(stderr).toMatch(/check the address of the service and any proxy in between$/m)
    expect(code).toBe(1)
    server.close()
  })

  it('that is kept goes to the address that it was kept for, and to no other', async () => {
    const seen: (string | undefined)[] = []
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const env = { XDG_CONFIG_HOME: await loggedIn(), MAPCRATE_URL: `http://127.0.0.1:${port}` }
    const { code, stderr } = await runMapcrate(['me'], { env })
    server.close()
    expect(stderr).toMatch(/set MAPCRATE_KEY, too, or log in there/)
    expect(code).toBe(1)
    expect(seen).toEqual([])
  })

  it('on the command line is refused, and not repeated', async () => {
    for (const args of [['me', host.key], [host.key], ['login', host.key], ['get', host.key]]) {
      const { code, stdout, stderr } = await runMapcrate(args, {
        env: { MAPCRATE_URL: url, MAPCRATE_KEY: host.key },
      })
      expect(code).toBeGreaterThan(0)
      expect(stdout + stderr).not.toContain(host.key.slice(0, 20))
    }
  })

  it('is asked for when there is none', async () => {
    const { code, stderr } = await runMapcrate(['me'])
    expect(stderr).toBe(
      'mapcrate me: you are not logged in; run mapcrate login, or set MAPCRATE_URL and MAPCRATE_KEY\n',
    )
    expect(code).toBe(1)
  })

  it('whose file others can read is told', async () => {
    const settings = await loggedIn()
    await chmod(join(settings, 'mapcrate/login.json'), 0o644)
    const { code, stderr } = await runMapcrate(['me'], { env: { XDG_CONFIG_HOME: settings } })
    expect(stderr).toMatch(/Others on this machine can read your key: chmod 600/)
    expect(code).toBe(0)
  })
})

describe('logout', () => {
  it('deletes what login has kept, and says so where nothing was', async () => {
    const settings = await loggedIn()
    const env = { XDG_CONFIG_HOME: settings }
    const file = join(settings, 'mapcrate/login.json')
    const { code, stdout } = await runMapcrate(['logout'], { env })
    expect({ code, stdout }).toEqual({ code: 0, stdout: `Logged out; deleted ${file}\n` })
    expect(await readdir(join(settings, 'mapcrate'))).toEqual([])
    expect((await runMapcrate(['me'], { env })).stderr).toMatch(/you are not logged in/)
    const again = await runMapcrate(['logout'], { env: { ...env, MAPCRATE_KEY: host.key } })
    expect(again).toMatchObject({ code: 0, stdout: 'You were not logged in.\n' })
    expect(again.stderr).toMatch(/MAPCRATE_KEY is set/)
  })
})
