import { textsIn } from '../../src/site/language.ts'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { EventEmitter } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { PictureCache, drawingFor, PictureRenderer } from '../../src/site/preview/renderer.ts'
import { type Scene, sceneOf, slotColors } from '../../src/site/preview/scene.ts'
import { someStats } from '../api/samples.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import type { Browser } from '../support/browser.ts'
import { aBeatmap, keepPublic } from '../support/a-beatmap.ts'
import { aPack, slots } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { plainInstallation } from '../support/settings.ts'

let house: SiteHouse
let owner: Browser
let starReads = 0

beforeAll(async () => {
  house = await openSiteHouse({
    withPorts: (ports) => ({
      ...ports,
      beatmapCache: {
        ...ports.beatmapCache,
        readBeatmaps: (ids) => {
          starReads += 1
          return ports.beatmapCache.readBeatmaps(ids)
        },
      },
    }),
  })
  owner = await house.signedIn(7001)
})
afterAll(() => house.close())
afterEach(() => vi.restoreAllMocks())

/** A picture as it was drawn: its size, and how often each colour is in it. */
const readPng = async (png: Buffer) => {
  const image = await loadImage(png)
  const { width, height } = image
  const context = createCanvas(width, height).getContext('2d')
  context.drawImage(image, 0, 0)
  const pixels = Buffer.from(context.getImageData(0, 0, width, height).data.buffer)
  const colors = new Map<string, number>()
  for (let at = 0; at < pixels.length; at += 4) {
    const color = `#${pixels.toString('hex', at, at + 3)}`
    colors.set(color, (colors.get(color) ?? 0) + 1)
  }
  return { width, height, colors }
}

const picture = async (slug: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${house.urls.packs}/p/${slug}/preview.png`, { headers })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

const save = (changes: Parameters<typeof aPack>[0] = {}): Promise<string> => {
  house.clock.nextMinute()
  return house.save(owner, aPack({ visibility: 'public', ...changes }))
}

describe('GET /p/{slug}/preview.png', () => {
  test('is a picture of 1200 × 630 in the colours of the buckets', async () => {
    const { response, bytes } = await picture(await save({ slots: slots(18) }))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const { width, height, colors } = await readPng(bytes)
    expect([width, height]).toEqual([1200, 630])
    const colorOf = slotColors(null)
    for (const mod of ['NM', 'HD', 'HR', 'DT', 'FM', 'TB']) {
      expect(colors.get(colorOf(mod)), mod).toBeGreaterThan(500)
    }
  })

  test('is small enough for every chat program', async () => {
    const { bytes } = await picture(await save({ slots: slots(64), name: 'W'.repeat(64) }))
    expect(bytes.length).toBeLessThan(200_000)
  })

  test('is drawn once, and told again by its tag', async () => {
    const slug = await save()
    const first = await picture(slug)
    const etag = first.response.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{27}"$/)
    expect(first.response.headers.get('cache-control')).toBe('public, no-cache')
    const again = await picture(slug, { 'if-none-match': etag })
    expect(again.response.status).toBe(304)
    expect(again.response.headers.get('etag')).toBe(etag)
    expect(again.bytes).toHaveLength(0)
    expect((await picture(slug)).bytes).toEqual(first.bytes)
  })

  test('changes with what it shows: the name at once, the stars within a minute', async () => {
    const pack = { slots: [{ mod: 'NM', index: 1, beatmapId: 75 }] }
    const slug = await save(pack)
    const tags = [(await picture(slug)).response.headers.get('etag')]
    await keepPublic(house.ports.beatmapCache, [aBeatmap(75)], house.clock.now())
    house.clock.nextMinute()
    tags.push((await picture(slug)).response.headers.get('etag'))
    house.clock.nextMinute()
    const basedOn = (await house.ports.packs.read(slug))!.updatedAt
    await owner.ask('PUT', `/session/packs/${slug}`, {
      pack: aPack({ ...pack, name: 'Finals', visibility: 'public' }),
      basedOn: new Date(basedOn).toISOString(),
    })
    tags.push((await picture(slug)).response.headers.get('etag'))
    expect(new Set(tags).size).toBe(3)
  })

  test('shows nobody what is not open to all, the owner included', async () => {
    const slug = await save({ visibility: 'private' })
    expect((await owner.send('GET', `/p/${slug}/preview.png`)).status).toBe(404)
    expect((await picture(await save({ visibility: 'unlisted' }))).response.status).toBe(200)
  })

  test('many at once are drawn one after the other; too many are asked to come back', async () => {
    const slug = await save()
    const stored = (await house.ports.packs.read(slug))!
    const many: string[] = []
    for (let at = 0; at < 64; at++) {
      const name = `slug${at}`.padEnd(10, '_')
      const changed = { ...stored, slug: name, name: `Pack ${at}` }
      await house.ports.packs.create(changed, null)
      many.push(name)
    }
    const replies = await Promise.all(many.map((each) => picture(each)))
    const statuses = replies.map(({ response }) => response.status)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    const refused = replies.find(({ response }) => response.status === 503)
    expect(refused?.response.headers.get('retry-after')).toBe('5')
    expect(refused?.response.headers.get('etag')).toBeNull()
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(9)
  })

  test('asked for by many at once, one picture is drawn once', async () => {
    const drawn = vi.spyOn(PictureRenderer.prototype, 'draw')
    const slug = await save({ name: 'Popular' })
    const replies = await Promise.all(Array.from({ length: 40 }, () => picture(slug)))
    expect(new Set(replies.map(({ response }) => response.status))).toEqual(new Set([200]))
    expect(drawn).toHaveBeenCalledTimes(1)
  })

  test('asked for again, it is neither drawn nor put together again', async () => {
    const drawn = vi.spyOn(PictureRenderer.prototype, 'draw')
    const slug = await save({ name: 'Hot' })
    await picture(slug)
    starReads = 0
    for (let at = 0; at < 5; at++) expect((await picture(slug)).response.status).toBe(200)
    expect([drawn.mock.calls.length, starReads]).toEqual([1, 0])
    await owner.ask('DELETE', `/session/packs/${slug}`)
    expect((await picture(slug)).response.status).toBe(404)
  })
})

describe('what a picture shows', () => {
  const pack = { ...aNewPack(), ownerUsername: 'Ada', stats: someStats }

  test('names, facts and slots in pool order (D-20), stars where they are known', () => {
    const slotted = {
      ...pack,
      slots: [
        { mod: 'TB', index: 1, beatmapId: 3 },
        { mod: 'NM', index: 2, beatmapId: 2 },
        { mod: 'NM', index: 1, beatmapId: 1 },
      ],
    }
    const scene = sceneOf(slotted, [7, null, 5], 'Tournament pools', null, textsIn('en'))
    expect(scene.slots.map(({ label, stars }) => [label, stars])).toEqual([
      ['NM1', 5],
      ['NM2', null],
      ['TB', 7],
    ])
    expect(scene).toMatchObject({
      credit: 'by \u2068Ada\u2069',
      stars: '5.94 – 7.81',
      facts: ['3 beatmaps', '1:35 – 4:18', '174 – 333 BPM'],
    })
  })

  test('D-94: the stars of the game, where the stats count slots without HD', () => {
    const slots = [
      { mod: 'NM', index: 1, beatmapId: 1 },
      { mod: 'HD', index: 1, beatmapId: 2 },
    ]
    expect(
      sceneOf({ ...pack, slots }, [5.943, 8.126], 'Tournament pools', null, textsIn('en')).stars,
    ).toBe('5.94 – 8.13')
    expect(
      sceneOf({ ...pack, slots }, [null, null], 'Tournament pools', null, textsIn('en')).stars,
    ).toBe('5.94 – 7.81')
  })

  test('names of before, without directional formatting (D-47)', () => {
    const before = { ...pack, name: '\u202ecup\u2069', ownerUsername: '\u2067Ada' }
    expect(sceneOf(before, [], 'Tournament pools', null, textsIn('en'))).toMatchObject({
      name: 'cup',
      credit: 'by \u2068Ada\u2069',
    })
  })

  test('nothing that is not known', () => {
    const scene = sceneOf({ ...pack, stats: null }, [], 'Tournament pools', null, textsIn('en'))
    expect(scene.stars).toBeNull()
    expect(scene.facts).toHaveLength(1)
  })

  const scene: Scene = {
    language: 'en',
    name: 'Cup',
    credit: 'by \u2068Ada\u2069',
    stars: null,
    facts: [],
    slots: [{ label: 'NM1', bucket: 'NM', color: '#60a5fa', stars: 5 }],
  }
  const renderer = new PictureRenderer(drawingFor(plainInstallation))
  afterAll(() => renderer.close())
  const draw = async (changes: Partial<Scene>): Promise<Buffer> => {
    const png = await renderer.draw({ kind: 'pack', scene: { ...scene, ...changes } })
    return png!
  }

  test.each([
    ['Latin', 'Żółty'],
    ['Cyrillic', 'Кубок'],
    ['Greek', 'Ώρα'],
    ['Japanese', '港の杯'],
    ['simplified Chinese', '体湾龙'],
    ['traditional Chinese', '體灣龍'],
    ['Korean', '안녕하세요'],
    ['Arabic', 'مرحبا'],
    ['Hebrew', 'גביע'],
    ['Thai', 'สวัสดี'],
    ['no', '🏆👨‍👩‍👧🇯🇵'],
  ])('a name in %s letters is drawn', async (_, name) => {
    const [nameless, named] = [await draw({ name: 'ᚠ' }), await draw({ name })]
    expect(named).not.toEqual(nameless)
    expect(await draw({ name: `${name}ᚠ` })).toEqual(named)
  })

  test('a character that no font has leaves out itself alone, and makes no box', async () => {
    const plain = await draw({ name: 'Spring Cup' })
    expect(await draw({ name: 'Spring \u16a0 Cup' })).toEqual(plain)
    expect(await draw({ name: '\u16a0Spring Cup\u{12000}\u200d' })).toEqual(plain)
    const nameless = await draw({ name: '\u16a0 \u{12000}' })
    expect(await draw({ name: 'ᚠᚡᚢ' })).toEqual(nameless)
    expect(nameless).not.toEqual(plain)
  })

  test('a name from right to left is cut at its own end', async () => {
    const long = 'مرحبا بالعالم '.repeat(12)
    expect(await draw({ name: `${long}ا` })).toEqual(await draw({ name: `${long}ب` }))
    expect(await draw({ name: `ا${long}` })).not.toEqual(await draw({ name: `ب${long}` }))
  })

  test.each([
    ['the longest name', { name: 'W'.repeat(64) }],
    ['a name of spaces and marks', { name: 'a \u0301\u200d b' }],
    ['a bucket in other letters', { slots: [{ ...scene.slots[0]!, bucket: '港', label: '港1' }] }],
    ['no slots with stars', { slots: [{ ...scene.slots[0]!, stars: null }] }],
    ['equal stars', { slots: [scene.slots[0]!, { ...scene.slots[0]!, label: 'NM2' }] }],
    ['no stars at all', { slots: [{ ...scene.slots[0]!, stars: 0 }] }],
    ['stars beyond all bounds', { slots: [{ ...scene.slots[0]!, stars: 9_000_000 }] }],
  ])('%s is drawn', async (_, changes) => {
    expect((await readPng(await draw(changes))).width).toBe(1200)
  })
})

describe('pictures that are kept', () => {
  test('a drawing that failed is not: the next request tries again', async () => {
    const pictures = new PictureCache()
    await expect(pictures.find('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await pictures.find('a', async () => Buffer.from('yes'))).toEqual(Buffer.from('yes'))
  })

  test('are bounded: the one that was not asked for longest goes first', async () => {
    const pictures = new PictureCache()
    let drawn = 0
    const find = (tag: string) =>
      pictures.find(tag, async () => {
        drawn += 1
        return Buffer.alloc(6 * 1024 * 1024)
      })
    for (const tag of ['a', 'b', 'a', 'c', 'a']) await find(tag)
    expect(drawn).toBe(3)
    await find('b')
    expect(drawn).toBe(4)
  })

  test('where the system has no thread left, a picture fails at once, and the next one tries again', async () => {
    const start = drawingFor(plainInstallation)
    let failures = 2
    const renderer = new PictureRenderer(() => {
      if (failures-- > 0) throw new Error('EAGAIN')
      return start()
    })
    onTestFinished(() => renderer.close())
    const draw = async () => renderer.draw({ kind: 'icon', size: 32 })
    await expect(draw()).rejects.toThrow('EAGAIN')
    await expect(draw()).rejects.toThrow('EAGAIN')
    expect(await draw()).toBeInstanceOf(Buffer)
  })

  test('a renderer that is closed fails what it was to draw', async () => {
    const renderer = new PictureRenderer(drawingFor(plainInstallation))
    const drawings = [1, 2].map((size) => renderer.draw({ kind: 'icon', size: size * 64 }))
    const ended = Promise.allSettled(drawings.map((each) => each!))
    await renderer.close()
    for (const { status } of await ended) expect(status).toBe('rejected')
  })
})

/** Draws nothing: answers each job after this time, all of it spent by the processor. */
class Thread extends EventEmitter {
  drawn = 0
  readonly #cpuMs: number

  constructor(cpuMs: number) {
    super()
    this.#cpuMs = cpuMs
  }

  postMessage(): void {
    const answer = { png: new Uint8Array(1), cpuMs: this.#cpuMs }
    setTimeout(() => {
      this.drawn += 1
      this.emit('message', answer)
    }, this.#cpuMs)
  }

  unref(): void {}

  async terminate(): Promise<void> {}
}

/** null when the thread has just ended. */
const niceOf = (thread: string): number | null => {
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  } catch {
    return null
  }
}

describe('however many pictures are asked for', () => {
  test.each([30, 300])(
    'at %d ms each, drawing takes a third of a core, and no more than eight wait',
    async (cpuMs) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      try {
        const thread = new Thread(cpuMs)
        const renderer = new PictureRenderer(() => thread as unknown as Worker)
        let taken = 0
        for (let ms = 0; ms < 60_000; ms += 10) {
          while (renderer.draw({ kind: 'icon', size: 32 }) !== null) taken += 1
          expect(taken - thread.drawn).toBeLessThanOrEqual(9)
          await vi.advanceTimersByTimeAsync(10)
        }
        expect(thread.drawn * cpuMs).toBeGreaterThan(19_000)
        expect((thread.drawn - 1) * cpuMs).toBeLessThanOrEqual(20_000)
      } finally {
        vi.useRealTimers()
      }
    },
  )

  test('one that is asked for in a pause waits for its end, a later one is drawn at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const thread = new Thread(30)
      const renderer = new PictureRenderer(() => thread as unknown as Worker)
      const drawnAfter = async (ms: number) => {
        await vi.advanceTimersByTimeAsync(ms)
        return thread.drawn
      }
      void renderer.draw({ kind: 'icon', size: 32 })
      expect(await drawnAfter(30)).toBe(1)
      void renderer.draw({ kind: 'icon', size: 32 })
      expect(await drawnAfter(60 + 29)).toBe(1)
      expect(await drawnAfter(1)).toBe(2)
      await drawnAfter(60)
      void renderer.draw({ kind: 'icon', size: 32 })
      expect(await drawnAfter(30)).toBe(3)
    } finally {
      vi.useRealTimers()
    }
  })

  test('the thread that draws comes after those that answer; elsewhere than on Linux it cannot', async () => {
    const before = getPriority()
    const renderer = new PictureRenderer(drawingFor(plainInstallation))
    const scene = sceneOf(
      { ...aNewPack(), ownerUsername: null },
      [],
      'Tournament pools',
      null,
      textsIn('en'),
    )
    await renderer.draw({ kind: 'pack', scene })
    expect(getPriority()).toBe(before)
    if (process.platform === 'linux') {
      const threads = readdirSync('/proc/self/task').map(niceOf)
      expect(threads).toContain(Math.min(19, before + 10))
    }
    await renderer.close()
  })
})
