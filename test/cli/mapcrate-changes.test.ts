import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withoutQuotas } from '../api/spend.ts'
import { openFaultProxy } from '../client/fault-proxy.ts'
import { type Host, openHouse } from '../support/house.ts'
import { runMapcrate, type Running, startMapcrate } from '../support/run-mapcrate.ts'
import { aPack } from '../support/samples.ts'

const house = await openHouse({ withPorts: withoutQuotas })
const proxy = await openFaultProxy(house.doors.packs.url)
let host: Host
let env: Record<string, string>

beforeAll(async () => {
  host = await house.hostOf(7, 'Ada')
  env = { MAPCRATE_URL: host.door.url, MAPCRATE_KEY: host.key }
})
afterAll(async () => {
  await proxy.close()
  await house.close()
})

const run = (...args: string[]) => runMapcrate(['changes', ...args], { env })
const cursorNow = async (): Promise<string> => JSON.parse((await run('--json')).stdout).cursor
const rows = (text: string): string[][] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ +/))

const stop = async (running: Running) => {
  running.child.kill('SIGINT')
  return running.ended
}

describe('changes (D-73)', () => {
  it('begin now, and continue after a cursor', async () => {
    await host.save(aPack({ visibility: 'public' }))
    const first = await run()
    expect(first).toMatchObject({ code: 0, stdout: '' })
    const [, cursor = ''] = /^To continue: mapcrate changes --after (\S{22})\n$/.exec(first.stderr)!
    const slug = await host.save(aPack({ visibility: 'public' }))
    await host.put(slug, aPack({ visibility: 'public', name: 'Again' }))
    const second = await run('--after', cursor)
    expect(rows(second.stdout)).toEqual([
      [expect.stringMatching(/^\d{4}-\S+Z$/), 'created', slug, expect.any(String)],
      [expect.any(String), 'changed', slug, expect.stringMatching(/^\S{22}$/)],
    ])
    const [[, , , between = '']] = rows(second.stdout) as [string[]]
    const third = await run('--after', between, '--json')
    expect(JSON.parse(third.stdout)).toEqual({
      changes: [expect.objectContaining({ kind: 'changed', slug })],
      cursor: rows(second.stdout)[1]![3],
    })
  })

  it('are read to the end, however many pages there are', async () => {
    const cursor = await cursorNow()
    const slugs: string[] = []
    for (let at = 0; at < 110; at += 1) slugs.push(await host.save(aPack()))
    const { stdout } = await run('--after', cursor)
    expect(rows(stdout).map(([, , slug]) => slug)).toEqual(slugs)
  })

  it.each([
    [
      'what is no cursor',
      'x',
      2,
      /--after "x" is no cursor; give one that mapcrate changes has printed/,
    ],
    ['a cursor that the service does not know', 'A'.repeat(22), 1, /mapcrate changes: .*cursor/],
  ])('refuse %s', async (_what, cursor, code, message) => {
    const refused = await run('--after', cursor)
    expect(refused).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) })
  })
})

describe('changes --follow', () => {
  it('prints each change as it happens, and ends at Ctrl+C with 0 and where to continue', async () => {
    const running = await startMapcrate(['changes', '--follow', '--json'], { env })
    await running.says('stderr', /^Waiting for changes; press Ctrl\+C to stop\.$/m)
    const slug = await host.save(aPack({ visibility: 'public' }))
    await running.says('stdout', new RegExp(`"created","slug":"${slug}"`))
    await host.put(slug, aPack({ visibility: 'public', name: 'Again' }))
    await running.says('stdout', new RegExp(`"changed","slug":"${slug}"`))
    const { code, stdout, stderr } = await stop(running)
    const found = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(found.map(({ kind }) => kind)).toEqual(['created', 'changed'])
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(
      `To continue: mapcrate changes --follow --json --after ${found[1].cursor}`,
    )
    expect(code).toBe(0)
  })

  it('waits out broken connections, proxies and quotas, and misses and repeats nothing', async () => {
    const running = await startMapcrate(['changes', '--follow'], {
      env: { ...env, MAPCRATE_URL: proxy.url },
    })
    await running.says('stderr', /^Waiting/m)
    const body = JSON.stringify({ error: { code: 'rate_limited', message: 'later' } })
    const limited = { status: 429, headers: { 'retry-after': '1' }, body }
    // More than the client repeats by itself.
    proxy.expect('drop', 'lose', { status: 502, body: '<html>' }, 'drop', limited)
    const first = await host.save(aPack({ visibility: 'public' }))
    await running.says('stdout', new RegExp(first))
    const second = await host.save(aPack({ visibility: 'public' }))
    await running.says('stdout', new RegExp(second))
    const { code, stdout, stderr } = await stop(running)
    expect(rows(stdout).map(([, kind, slug]) => [kind, slug])).toEqual([
      ['created', first],
      ['created', second],
    ])
    expect(stderr).toMatch(/^waiting 5 s: the service could not be reached$/m)
    expect(code).toBe(0)
  })

  it('ends where changes after the cursor are no longer kept, and says where to begin again', async () => {
    // A service that nobody follows: what it reads for others stays in its memory for longer.
    const own = await openHouse({ withPorts: withoutQuotas })
    try {
      const ada = await own.hostOf(7, 'Ada')
      const its = { env: { MAPCRATE_URL: ada.door.url, MAPCRATE_KEY: ada.key } }
      const { cursor } = JSON.parse((await runMapcrate(['changes', '--json'], its)).stdout)
      const slug = await ada.save(aPack({ visibility: 'public' }))
      own.clock.advance(31 * 86_400_000)
      await ada.put(slug, aPack({ visibility: 'public' }))
      await ada.put(slug, aPack({ visibility: 'public' }))
      while (await own.ports.changes.forget(own.clock.now() + 1)) continue
      const ended = await runMapcrate(['changes', '--follow', '--after', cursor], its)
      expect(ended).toMatchObject({ code: 1, stdout: '' })
      expect(ended.stderr).not.toMatch(/To continue/)
      const [, next = ''] = /continue with after=(\S{22})$/m.exec(ended.stderr) ?? []
      const { stdout } = await runMapcrate(['changes', '--after', next], its)
      // Nothing that is kept is skipped.
      const each = [{}, 'changed', slug, {}]
      expect(rows(stdout)).toMatchObject([each, each])
    } finally {
      await own.close()
    }
  })

  it('keeps the place at a failure that no repetition mends', async () => {
    const cursor = await cursorNow()
    const body = JSON.stringify({ error: { code: 'invalid_api_key', message: 'revoked' } })
    proxy.expect({ status: 401, body })
    const ended = await runMapcrate(['changes', '--follow', '--after', cursor], {
      env: { ...env, MAPCRATE_URL: proxy.url },
    })
    expect(ended.stderr).toContain(`To continue: mapcrate changes --follow --after ${cursor}\n`)
    expect(ended.stderr).toContain('mapcrate changes: revoked')
    expect(ended.code).toBe(1)
  })
})
