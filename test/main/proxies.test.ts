import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { EventReader } from '../support/event-reader.ts'
import { openHouse } from '../support/house.ts'
import { freshFolder, startServer } from '../support/processes.ts'
import {
  isMissing,
  type ProxyName,
  type ProxyOptions,
  readShipped,
  startShippedProxy,
} from '../support/proxies.ts'
import { changeTournament, makeTournament } from '../support/sample-tournament.ts'
import { openSiteHouse } from '../support/site-house.ts'
import { until } from '../support/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'mapcrate-proxy-'))
const house = await openHouse()
const started: { stop: () => Promise<void> }[] = []
afterAll(async () => {
  await Promise.all(started.map(({ stop }) => stop()))
  await house.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The address of a proxy that is set up as shipped. */
const startProxy = async (
  name: ProxyName,
  options: Omit<ProxyOptions, 'folder'>,
): Promise<string> => {
  const proxy = await startShippedProxy(name, { folder, ...options })
  started.push(proxy)
  return proxy.url
}

/** Sends 100 bodies of 400 KB with a key that is nobody's: 401, and 429 once there were too many. */
const refusesBodies = async (url: string): Promise<void> => {
  const body = 'x'.repeat(400_000)
  const seen = new Set<number>()
  const send = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) {
      const answer = await fetch(`${url}/api/v1/packs`, {
        method: 'POST',
        headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
        body,
      })
      await answer.arrayBuffer()
      seen.add(answer.status)
    }
  }
  await Promise.all(Array.from({ length: 10 }, send))
  expect([...seen].filter((status) => status !== 401)).toEqual([429])
}

it('docs/deploy.md shows the files that are shipped', () => {
  const guide = readFileSync(new URL('../../docs/deploy.md', import.meta.url), 'utf8')
  expect(guide).toContain(`\`\`\`nginx\n${readShipped('nginx')}\`\`\``)
  expect(guide).toContain(`\`\`\`haproxy\n${readShipped('haproxy')}\`\`\``)
})

describe('a proxy passes on why a body was refused, never 502', () => {
  const addresses = [new URL(house.doors.packs.url).host]

  it.skipIf(isMissing('nginx'))('nginx (skipped where it is not installed)', async () => {
    const shipped = readShipped('nginx')
    // As nginx does by itself, too: HTTP/1.0 and a new connection for each request.
    const plain = shipped.replaceAll(
      /^(?:proxy_http_version|proxy_set_header Connection|\tkeepalive).*\n/gm,
      '',
    )
    for (const config of [shipped, plain]) {
      const url = await startProxy('nginx', { addresses, config })
      await refusesBodies(url)
    }
  })

  it.skipIf(isMissing('haproxy'))('HAProxy (skipped where it is not installed)', async () => {
    const url = await startProxy('haproxy', { addresses })
    await refusesBodies(url)
  })

  it.skipIf(isMissing('caddy'))('Caddy (skipped where it is not installed)', async () => {
    const url = await startProxy('caddy', { addresses })
    await refusesBodies(url)
  })
})

describe('a proxy passes on the events of a workspace as they come, and that nobody reads them any more', () => {
  const follow = async (name: ProxyName) => {
    const site = await openSiteHouse()
    onTestFinished(() => site.close())
    const browser = await site.signedIn(7001, 'pools')
    const slug = await makeTournament(site.ports, browser.viewer!.id)
    const url = await startProxy(name, { addresses: [new URL(site.urls.pools).host] })
    const path = `/session/tournaments/${slug}/events`
    const reader = await EventReader.open(browser, path, url)
    const { marks } = await reader.until(({ here }) => here.length === 1)
    const rename = () => changeTournament(site.ports, slug, ({ name }) => ({ name: `${name}!` }))
    await rename()
    await reader.until((event) => event.marks.tournament !== marks.tournament)
    reader.hangUp()
    // HAProxy notices when it has something to pass on.
    await until(async () => {
      await rename()
      const states = await site.ports.workspaces.read([slug], site.clock.now())
      return states.get(slug)!.here.length === 0
    })
  }

  it.skipIf(isMissing('nginx'))('nginx (skipped where it is not installed)', () => follow('nginx'))

  it.skipIf(isMissing('haproxy'))('HAProxy (skipped where it is not installed)', () =>
    follow('haproxy'),
  )

  it.skipIf(isMissing('caddy'))('Caddy (skipped where it is not installed)', () => follow('caddy'))
})

describe('a restart of one of two processes fails no request (D-54)', () => {
  const restart = async (name: ProxyName) => {
    const servers = [
      await startServer(await freshFolder(), { DRAIN_SECONDS: '5', LOG_LEVEL: 'warn' }),
      await startServer(await freshFolder(), { LOG_LEVEL: 'warn' }),
    ] as const
    const addresses = servers.map(({ packs }) => new URL(packs.url).host)
    const url = await startProxy(name, { addresses })
    const failed = new Set<unknown>()
    let count = 0
    const over = new AbortController()
    const client = async (at: number): Promise<void> => {
      while (!over.signal.aborted) {
        const isSave = at % 3 === 0
        const request = isSave
          ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
          : {}
        const path = isSave ? '/api/v1/packs' : '/api/v1/openapi.json'
        const status = await fetch(url + path, request).then(
          async (answer) => {
            await answer.arrayBuffer()
            return answer.status
          },
          (error: unknown) => error,
        )
        count += 1
        // No proxy of ours is asked by everyone without a pause.
        await pause(10)
        if (status !== 200 && status !== 401 && status !== 429) failed.add(status)
      }
    }
    const clients = Array.from({ length: 12 }, (_, at) => client(at))
    await until(async () => count > 100, 20_000)
    await servers[0].stop()
    const then = count
    await until(async () => count > then + 100, 20_000)
    over.abort()
    await Promise.all(clients)
    expect([...failed]).toEqual([])
  }

  it.skipIf(isMissing('caddy'))('behind Caddy (skipped where it is not installed)', () =>
    restart('caddy'),
  )

  it.skipIf(isMissing('haproxy'))('behind HAProxy (skipped where it is not installed)', () =>
    restart('haproxy'),
  )

  it.skipIf(isMissing('nginx'))('behind nginx (skipped where it is not installed)', () =>
    restart('nginx'),
  )
})
