import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { IndexLoop } from '../../src/worker/search-index.ts'
import { eventually, type IndexRig, indexRig } from '../support/index-rig.ts'

let folder: string
const loops: IndexLoop[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mapcrate-index-'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(loops.splice(0).map((loop) => loop.stop()))
  await rm(folder, { recursive: true, force: true })
})

const start = (rig: IndexRig): IndexLoop => {
  const loop = rig.start(folder)
  loops.push(loop)
  return loop
}

const read = (suffix: string): Promise<Buffer> =>
  readFile(join(folder, `packs/index.json${suffix}`))

/** Waits until the files say what is served. */
const written = async (rig: IndexRig): Promise<void> => {
  const end = performance.now() + 30_000
  for (;;) {
    const files = rig.indexCache.current()?.files
    const texts = await Promise.allSettled(['', '.gz', '.br'].map(read))
    const [identity, gzip, br] = texts.map((text) =>
      text.status === 'fulfilled' ? text.value : null,
    )
    const isAll =
      files !== undefined &&
      identity?.equals(files.identity.bytes) &&
      gzip?.equals((await files.gzip()).bytes) &&
      br?.equals((await files.br()).bytes)
    if (isAll) return
    if (performance.now() > end) throw new Error('the files were not written')
  }
}

describe('the search index as files', () => {
  it('stands below the directory in three codings, and nothing else', async () => {
    const rig = indexRig()
    rig.save({ description: 'Best of 13.' })
    start(rig)
    await written(rig)
    const text = await read('')
    expect(JSON.parse(text.toString())).toEqual(rig.served())
    expect(gunzipSync(await read('.gz'))).toEqual(text)
    expect(brotliDecompressSync(await read('.br'))).toEqual(text)
    const names = await readdir(folder, { recursive: true })
    expect(names.toSorted()).toEqual([
      'packs',
      'packs/index.json',
      'packs/index.json.br',
      'packs/index.json.gz',
    ])
  })

  it('is written again when it has changed', async () => {
    const rig = indexRig()
    rig.save()
    start(rig)
    await written(rig)
    const before = await read('')
    rig.save()
    await vi.advanceTimersByTimeAsync(750)
    await eventually(() => rig.builds.length === 2)
    await written(rig)
    expect(await read('')).not.toEqual(before)
  })

  it('D-38: is replaced by the harder compressed one', async () => {
    const rig = indexRig()
    for (let each = 0; each < 300; each++) rig.save({ name: `Week ${each}` })
    start(rig)
    await written(rig)
    const [text, fast] = [await read(''), await read('.br')]
    const { br } = rig.indexCache.current()!.files
    await vi.advanceTimersByTimeAsync(5_000)
    await eventually(() => rig.indexCache.current()!.files.br !== br)
    await written(rig)
    expect((await read('.br')).length).toBeLessThan(fast.length)
    expect(await read('')).toEqual(text)
    expect(brotliDecompressSync(await read('.br'))).toEqual(text)
  })

  it('is never there in part: a reader always finds whole JSON', async () => {
    const rig = indexRig()
    for (let each = 0; each < 1_000; each++) rig.save()
    start(rig)
    await written(rig)
    for (let round = 2; round < 8; round++) {
      rig.save()
      await vi.advanceTimersByTimeAsync(1_000)
      const found = async () => JSON.parse((await read('')).toString()).packs.length
      while (rig.builds.length < round) expect(await found()).toBeGreaterThanOrEqual(1_000)
      expect(await found()).toBeGreaterThanOrEqual(1_000)
    }
    await written(rig)
  })

  it('is served though it cannot be written, which is logged, and written once it can be', async () => {
    const rig = indexRig()
    const slug = rig.save()
    await writeFile(join(folder, 'packs'), 'in the way')
    await start(rig).ready
    expect(rig.slugs()).toEqual([slug])
    await eventually(() => rig.said.length > 0)
    expect(rig.said[0]).toMatch(
      /^error the files of the search index cannot be written to INDEX_DIR/,
    )

    await rm(join(folder, 'packs'))
    await vi.advanceTimersByTimeAsync(5_000)
    await written(rig)
  })

  it('leaves no half-made file behind when a write fails', async () => {
    const rig = indexRig()
    rig.save()
    // Cannot be replaced by a file.
    await mkdir(join(folder, 'packs/index.json.br/inside'), { recursive: true })
    start(rig)
    await eventually(() => rig.said.length > 0)
    const names = await readdir(join(folder, 'packs'))
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('stop waits for what is being written', async () => {
    const rig = indexRig()
    for (let each = 0; each < 500; each++) rig.save()
    const loop = start(rig)
    await loop.ready
    await loop.stop()
    const names = await readdir(join(folder, 'packs')).catch(() => [])
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([])
  })
})
