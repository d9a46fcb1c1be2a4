import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_BODY_BYTES } from '../src/contract/bounds.ts'
import { Pack, PackInput, Stats } from '../src/contract/packs.ts'
import { Slot } from '../src/contract/pools.ts'
import {
  FAILURES_PER_MINUTE,
  NEW_KEYS_PER_HOUR,
  REQUESTS_PER_MINUTE,
  WRITES_PER_MINUTE,
} from '../src/contract/quotas.ts'
import { IndexEntry } from '../src/contract/search-index.ts'
import { releaseDue } from '../src/operations/releases.ts'
import { aChange, newScene } from './api/tournament-scene.ts'
import { type Host, type House, openHouse } from './support/house.ts'
import { aPack } from './support/samples.ts'

const guide = readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8')
const sectionOf = (heading: string): string =>
  guide.split(/^#{2,3} /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
const blocksOf = (heading: string, language: string): string[] =>
  [...sectionOf(heading).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , content = '']) => content)

/** What stands as code in the first column of a part's table. */
const namesIn = (heading: string): string[] =>
  sectionOf(heading)
    .split('\n')
    .flatMap((line) => /^\| (`[^|]*)\|/.exec(line)?.[1]?.match(/`[^`]+`/g) ?? [])
    .map((name) => name.slice(1, -1))

let house: House
let host: Host

beforeAll(async () => {
  house = await openHouse({ settings: { ownApiUrl: 'https://mapcrate.test' } })
  host = await house.host()
})
afterAll(() => house.close())

describe('docs/api.md names every field of the contract, and no other', () => {
  it.each([
    ['Saving a pack', PackInput.properties],
    ['Slots', Slot.properties],
    ['What a pack looks like', Pack.properties],
    ['Stats', Stats.properties],
    ['The search index', IndexEntry.properties],
  ])('under %s', (heading, properties) => {
    expect(new Set(namesIn(heading))).toEqual(new Set(Object.keys(properties)))
  })

  it('and every quota', () => {
    const numbers = sectionOf('Limits').match(/(?<=\| )\d+(?= a)|[\d,]+(?= bytes)|\d+(?= an hour)/g)
    expect(numbers?.map((text) => Number(text.replace(',', '')))).toEqual([
      REQUESTS_PER_MINUTE,
      WRITES_PER_MINUTE,
      FAILURES_PER_MINUTE,
      NEW_KEYS_PER_HOUR,
      MAX_BODY_BYTES,
    ])
  })
})

/** Runs a sample of the guide against the house; gives what it printed. */
const run = async (
  code: string,
  { printed = [] as string[], onFetch = async (url: string) => url, poolsKey = '', slug = '' } = {},
): Promise<string[]> => {
  await runInNewContext(`(async () => { ${code} })()`, {
    fetch: async (url: string, init: RequestInit) =>
      fetch(
        (await onFetch(url))
          .replace('https://mapcrate.test', host.door.url)
          .replace('https://pools.mapcrate.test', house.doors.pools.url),
        init,
      ),
    process: { env: { PACKS_KEY: host.key, POOLS_KEY: poolsKey } },
    slug,
    console: { log: (line: string) => printed.push(line) },
    authorization: `Bearer ${host.key}`,
    // Nothing that is waited for takes time here.
    setTimeout: (work: () => void) => setTimeout(work, 0),
  })
  return printed
}

describe('the samples of docs/api.md work', () => {
  it('the first request saves a pack, and tells what is wrong', async () => {
    const [sample = ''] = blocksOf('Your first request', 'js')
    expect(await run(sample)).toEqual([expect.stringMatching(/^Saved as [\w-]{10}\.$/)])
    const broken = sample.replace('index: 1', 'index: 100')
    expect(await run(broken)).toEqual([
      expect.stringMatching(/^bad_request: slots\[0\]\.index must be from 1 to 99 \(.+\)$/),
    ])
    const strange = sample.replace('PACKS_KEY', 'NO_KEY')
    expect(await run(strange)).toEqual([expect.stringMatching(/^invalid_api_key: /)])
  })

  it('so does the body that curl sends', async () => {
    const [command = ''] = blocksOf('Your first request', 'sh').slice(1)
    const body = /-d '(.*)'/s.exec(command)?.[1] ?? ''
    expect((await host.post(JSON.parse(body))).status).toBe(201)
  })

  it('a pack with buckets is taken, and completed as it says', async () => {
    const [body = ''] = blocksOf('Buckets', 'json')
    const reply = await host.post(JSON.parse(body))
    expect(reply.status).toBe(201)
    const codes = reply.json.pack.buckets.map(({ code }: { code: string }) => code)
    expect(codes).toEqual(['NM', 'HD', 'HR', 'DT', 'FM', 'RC', 'EX', 'TB'])
  })

  it('the loop over the changes shows each as it comes, and what is wrong', async () => {
    const [sample = ''] = blocksOf('Hearing of changes', 'js')
    const printed: string[] = []
    const saved: string[] = []
    const onFetch = async (url: string): Promise<string> => {
      // The first answer says where to begin, and the fourth request has another cursor.
      if (saved.length === 2) return url.replace(/after=[\w-]+/, 'after=other')
      if (url.includes('after=')) saved.push(await host.save(aPack()))
      return url
    }
    const following = run(sample, { printed, onFetch })
    await expect(following).rejects.toThrow('after must be one cursor as it was received')
    expect(printed).toEqual(saved.map((slug) => `${slug}: created`))
  })

  it('the walk over the pages sees every public pack', async () => {
    const [sample = ''] = blocksOf('Pages', 'js')
    const other = await house.host()
    const names: string[] = []
    for (let number = 0; number < 51; number += 1) {
      if (number % 9 === 0) house.clock.advance(60_000)
      const name = `Cup ${number}`
      const slots = [{ mod: 'NM', index: 1, beatmapId: 1 }]
      await other.save({ name, slots, visibility: 'public' })
      names.unshift(name)
    }
    expect(await run(sample)).toEqual(names)
  })

  it('the program that follows a tournament says what is released and changed, until it is gone', async () => {
    const [sample = ''] = blocksOf('Following a tournament', 'js')
    const scene = await newScene(house, { visibility: 'public' })
    const { key } = await house.host('pools')
    const put = (from: null | 'none', to: null | { beatmapId: number }) => {
      house.clock.advance(1000)
      const body = { changes: [{ mod: 'TB', index: 1, from, to }] }
      return scene.host.ask('PATCH', `${scene.roundPath}/slots`, { body })
    }
    const steps = [
      async () => {
        await scene.staff('referee')
        await scene.release()
      },
      async () => {
        house.clock.advance(1000)
        await scene.host.ask('PATCH', `${scene.roundPath}/slots`, { body: aChange })
        return scene.release()
      },
      // A slot that is released without a beatmap gets one (D-78).
      async () => {
        await put('none', null)
        const body = { at: 'now', incomplete: true }
        return scene.host.ask('PUT', `${scene.roundPath}/release`, { body })
      },
      async () => {
        await put(null, { beatmapId: 77 })
        expect(await releaseDue(house.ports, { slug: scene.slug, roundId: scene.id })).toBe(true)
      },
      () => scene.host.ask('DELETE', scene.path),
    ]
    const printed: string[] = []
    let asked = 0
    const onFetch = async (url: string): Promise<string> => {
      await steps[asked++ - 1]?.()
      return url
    }
    const following = run(sample, { printed, onFetch, poolsKey: key, slug: scene.slug })
    await expect(following).rejects.toThrow('the tournament is private now, or gone')
    const [, pack = ''] = /^(\/p\/[\w-]{10}): /.exec(printed[0] ?? '') ?? []
    const kinds = ['released', 'changed', 'changed', 'filled']
    expect(printed).toEqual(kinds.map((kind) => `${pack}: ${kind}`))
  })

  it('the search that curl sends finds the tournament', async () => {
    const [command = ''] = blocksOf('Following a tournament', 'sh')
    const facts = { visibility: 'public', year: 2026, rankMin: 1000, rankMax: 9999 }
    const { host: owner, slug } = await newScene(house, facts)
    const path = /api\/v1([^']+)'/.exec(command)?.[1] ?? ''
    const { tournaments } = (await owner.get(path)).json
    expect(tournaments.map((found: { slug: string }) => found.slug)).toEqual([slug])
  })

  it('the program that drafts makes a tournament, fills its slot, and schedules its release', async () => {
    const [sample = ''] = blocksOf('Drafting by API', 'js')
    const { key } = await house.host('pools')
    expect(await run(sample, { poolsKey: key })).toEqual([
      'Qualifiers will be released at 2030-12-01T18:00:00.000Z.',
    ])
  })
})
