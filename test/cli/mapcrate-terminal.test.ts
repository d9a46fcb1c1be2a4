import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { progressBar, Screen } from '../../src/cli/user/screen.ts'
import { etagFetch } from '../../src/cli/user/live-file.ts'
import { type Host, openHouse } from '../support/house.ts'
import { freshFolder } from '../support/processes.ts'
import {
  inTerminal,
  program,
  runMapcrate,
  Running,
  startMapcrate,
} from '../support/run-mapcrate.ts'
import { aPack } from '../support/samples.ts'

const house = await openHouse()
let host: Host
let slug: string
let env: Record<string, string>

beforeAll(async () => {
  host = await house.hostOf(7, 'Ada')
  slug = await host.save(aPack({ name: 'Grand Finals', visibility: 'public' }))
  env = { MAPCRATE_URL: host.door.url, MAPCRATE_KEY: host.key }
})
afterAll(() => house.close())

const ESCAPE = '\u001B['

describe('colours', () => {
  it('are shown on a terminal and nowhere else', async () => {
    expect((await inTerminal(['get', slug], [], { env })).screen).toContain(`${ESCAPE}1mGrand`)
    expect((await runMapcrate(['get', slug], { env })).stdout).not.toContain(ESCAPE)
  })

  it('NO_COLOR takes them away, FORCE_COLOR brings them', async () => {
    const no = await inTerminal(['get', slug], [], { env: { ...env, NO_COLOR: '1' } })
    expect(no.screen).toContain('Grand Finals')
    expect(no.screen).not.toContain(`${ESCAPE}1m`)
    const force = await runMapcrate(['get', slug], { env: { ...env, FORCE_COLOR: '1' } })
    expect(force.stdout).toContain(`${ESCAPE}1mGrand`)
    const dumb = await inTerminal(['get', slug], [], { env: { ...env, TERM: 'dumb' } })
    expect(dumb.screen).not.toContain(`${ESCAPE}1m`)
  })
})

/** What is on the screen at the end, where lines were cleared. */
const linesOn = (screen: string): string[] =>
  screen
    .trimEnd()
    .split(/\r*\n/)
    .map((line) => line.split(`\r${ESCAPE}K`).at(-1) ?? '')

describe('long work', () => {
  it('shows a bar on a terminal, and none in a pipe', async () => {
    const folder = await freshFolder()
    for (const name of ['a.txt', 'b.txt']) await writeFile(join(folder, name), 'NM1 75\n')
    const seen = await inTerminal(['import', 'a.txt', 'b.txt'], [], { env, cwd: folder })
    expect(seen.screen).toContain('[##########          ] 1 of 2  b')
    expect(seen.code).toBe(0)
    const piped = await runMapcrate(['import', 'a.txt', 'b.txt'], { env, cwd: folder })
    expect(piped.stderr).toMatch(/^No beatmap was looked up: .*\n$/)
  })

  it('tells of waits: beside the bar on a terminal, in a line elsewhere where they are long', async () => {
    const lines = { terminal: '', pipe: '' }
    const screenOf = (to: 'terminal' | 'pipe') => {
      const stream = (isTTY: boolean) =>
        ({ isTTY, write: (text: string) => (lines[to] += text) }) as unknown as NodeJS.WriteStream
      return new Screen(stream(to === 'terminal'), stream(to === 'terminal'), {})
    }
    for (const to of ['terminal', 'pipe'] as const) {
      const screen = screenOf(to)
      screen.status(progressBar(5, 10, 'Finals'))
      screen.wait('waiting 3 s', false)
      screen.wait('waiting 30 s', true)
      screen.clear()
    }
    expect(lines.terminal).toContain('[##########          ] 5 of 10  Finals  waiting 3 s')
    expect(lines.pipe).toBe('waiting 30 s\n')
  })

  it('a paste is asked for, and ends at Ctrl+D', async () => {
    const { code, screen } = await inTerminal(
      ['import', '-', '--name', 'Pasted'],
      [[/Paste, then press Enter and Ctrl\+D\./, 'NM1\t75\nHD1\t76\n\u0004']],
      { env },
    )
    expect(screen).toMatch(/ {2}Pasted, 2 beatmaps, unlisted: /)
    expect(code).toBe(0)
  })

  it.each([
    ['\u0003', 130, 'interrupted'],
    ['\u0004', 1, 'there was no answer'],
  ])('a question stays above the end of the command that %j brings', async (key, code, end) => {
    const ended = await inTerminal(['delete', slug], [[/\[y\/N\] /, key]], { env })
    expect(ended.code).toBe(code)
    expect(linesOn(ended.screen).slice(-2)).toEqual([
      expect.stringMatching(/^Delete Grand Finals .*\[y\/N\] /),
      `mapcrate delete: ${end}`,
    ])
  })

  it('shows no progress beside the message when it fails', async () => {
    const folder = await freshFolder()
    await writeFile(join(folder, 'Round 1.csv'), 'NM1,75\n')
    const other = await house.hostOf(8, 'Bob')
    const replaceKey = async () => {
      await house.hostOf(8, 'Bob')
      return 'y\n'
    }
    const { screen, code } = await inTerminal(
      ['sync', folder],
      [[/Do 1 thing\? \[y\/N\] /, replaceKey]],
      { env: { ...env, MAPCRATE_KEY: other.key } },
    )
    expect(code).toBe(1)
    expect(screen).toContain('0 of 1  Round 1.csv')
    expect(linesOn(screen).at(-1)).toMatch(/^mapcrate sync: .*log in again/)
  })

  it('ends at Ctrl+C with 130, while it waits for an answer', async () => {
    const server = createServer(() => {})
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const asked = new Promise((resolve) => server.once('request', resolve))
    const { port } = server.address() as AddressInfo
    const running = await startMapcrate(['me'], {
      env: { ...env, MAPCRATE_URL: `127.0.0.1:${port}` },
    })
    await asked
    running.child.kill('SIGINT')
    expect(await running.ended).toMatchObject({ code: 130, stderr: 'mapcrate me: interrupted\n' })
    server.closeAllConnections()
    server.close()
  })

  it('says who cannot be reached', async () => {
    const { code, stderr } = await runMapcrate(['import', '-'], {
      input: 'NM1 75',
      env: { MAPCRATE_URL: 'ftp://packs.test', MAPCRATE_KEY: 'packs_x' },
    })
    expect(stderr).toMatch(/"ftp:\/\/packs\.test" is no address of a service/)
    expect(code).toBe(1)
  })
})

describe('a disk that is full', () => {
  it.each([program, program.replace('mapcrate.ts', 'mapcrate-server.ts')])(
    'is named by %s, whose output it cuts off',
    async (main) => {
      const child = spawn('sh', ['-c', `"$0" "$1" --help > /dev/full`, process.execPath, main])
      let stderr = ''
      child.stderr.on('data', (text) => (stderr += text))
      const [code] = await once(child, 'close')
      expect(stderr).toMatch(
        /^mapcrate(-server)?: stdout cannot be written: the disk is full; free/,
      )
      expect(stderr.split('\n')).toHaveLength(2)
      expect(code).toBe(1)
    },
  )
})

describe('a reader that goes away', () => {
  it('ends the program without a word', async () => {
    const child = spawn(
      'sh',
      [
        '-c',
        `"$0" "$1" list --all --json | head -c 1; echo; "$0" "$1" --help | head -c 1`,
        process.execPath,
        program,
      ],
      { env: { PATH: process.env['PATH'], HOME: '/nowhere', ...env } },
    )
    let stderr = ''
    child.stderr.on('data', (text) => (stderr += text))
    await new Promise((resolve) => child.on('close', resolve))
    expect(stderr).toBe('')
  })

  it.each(['import a.txt b.txt c.txt', 'import a.txt b.txt c.txt --json', 'sync . --yes'])(
    'keeps nothing from being saved: %s',
    async (call) => {
      const folder = await freshFolder()
      for (const name of ['a', 'b', 'c']) {
        await writeFile(join(folder, `${name}.txt`), 'NM1 75\n')
        await writeFile(join(folder, `${name}.csv`), 'NM1,75\n')
      }
      const saver = await house.host()
      const script = `{ "$0" "$1" ${call}; echo "status $?" >&2; } | true`
      const child = spawn('sh', ['-c', script, process.execPath, program], {
        cwd: folder,
        env: { ...env, PATH: process.env['PATH'], HOME: folder, MAPCRATE_KEY: saver.key },
      })
      const { stderr } = await new Running(child).ended
      expect(stderr).toMatch(/status 0\n$/)
      expect((await saver.get('/me/packs')).json.total).toBe(3)
    },
  )

  it('ends what would go on for ever at the next change', async () => {
    const saver = await house.host()
    const watched = await saver.save(aPack({ name: 'Watched', visibility: 'public' }))
    const script = `{ "$0" "$1" changes --follow; echo "status $?" >&2; } | true`
    const child = spawn('sh', ['-c', script, process.execPath, program], {
      env: { ...env, PATH: process.env['PATH'], HOME: '/nowhere' },
    })
    const running = new Running(child)
    await running.says('stderr', /Waiting for changes/)
    await saver.put(watched, aPack({ name: 'Changed', visibility: 'public' }))
    expect((await running.ended).stderr).toMatch(/status 0\n$/)
  })
})

describe('watch', () => {
  it('prints what changes, asks only for what is new, and ends at Ctrl+C with 0', async () => {
    const watched = await host.save(aPack({ name: 'Watched' }))
    const running = await startMapcrate(['watch', watched, '--every', '5'], { env })
    await running.says('stderr', /^Watching Watched; press Ctrl\+C to stop\.$/m)
    await host.put(watched, aPack({ name: 'Watched', slots: aPack().slots.slice(1) }))
    await running.says('stdout', /^NM1 removed: 4392947\n/m)
    running.child.kill('SIGINT')
    const { code, stdout } = await running.ended
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\dT\S+Z\nNM1 removed: 4392947\n$/)
    expect(code).toBe(0)
  })

  it('sends the tag of what it knows, and takes a 304 for it', async () => {
    const tags: (string | null)[] = []
    const through = etagFetch(async (target, init) => {
      tags.push(new Headers(init?.headers).get('if-none-match'))
      const response = await fetch(target, init)
      tags.push(String(response.status))
      return response
    })
    const headers = { authorization: `Bearer ${host.key}` }
    const ask = async () =>
      (await through(`${host.door.url}/api/v1/packs/${slug}`, { headers })).text()
    const first = await ask()
    expect(await ask()).toBe(first)
    expect(tags).toEqual([null, '200', expect.stringMatching(/^"/), '304'])
    await host.put(slug, aPack({ name: 'Other Finals' }))
    expect(await ask()).toContain('Other Finals')
  })
})
