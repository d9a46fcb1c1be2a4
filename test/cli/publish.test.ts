import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshFolder, makeKey, runCli, startServer } from '../support/processes.ts'

const pool = {
  name: 'OWC 2023 Finals',
  visibility: 'private',
  description: 'Week 6',
  slots: [
    { mod: 'NM', index: 1, beatmapId: 4384629 },
    { mod: 'TB', index: 1, beatmapId: 3326839 },
  ],
}

test('spec 9: a published pool is a public pack of a fixed owner, replaced under its name', async () => {
  const folder = await freshFolder()
  const file = join(folder, 'pool.json')
  const server = await startServer(folder, { POOLS_OWNER_NAME: 'World cup' })
  const key = await makeKey(folder)
  await writeFile(file, JSON.stringify(pool))
  const first = await runCli(folder, ['publish', file])
  expect(first).toMatchObject({ code: 0, stderr: '' })
  const [slug, url] = first.stdout.split('\n')
  expect(slug).toMatch(/^[A-Za-z0-9_-]{10}$/)
  expect(url).toBe(`http://127.0.0.1:8080/api/v1/packs/${slug}`)
  const read = () => server.packs.ask('GET', `/packs/${slug}`, { key })
  expect((await read()).json.pack).toMatchObject({
    name: 'OWC 2023 Finals',
    visibility: 'public',
    description: 'Week 6',
    ownerName: 'World cup',
  })

  const changed = { ...pool, name: ' OWC 2023 Finals ', description: 'Week 7' }
  const second = await runCli(folder, ['publish', '-'], {
    input: JSON.stringify(changed),
    env: { PACKS_URL: 'https://packs.example.org/' },
  })
  expect(second.stdout).toBe(`${slug}\nhttps://packs.example.org/api/v1/packs/${slug}\n`)
  expect((await read()).json.pack).toMatchObject({ visibility: 'public', description: 'Week 7' })
  const list = await server.packs.ask('GET', '/packs', { key })
  const named = list.json.packs.filter((pack: { name: string }) => pack.name === pool.name)
  expect(named.map((pack: { slug: string }) => pack.slug)).toContain(slug)
  expect(
    named.filter((pack: { ownerName: string }) => pack.ownerName === 'World cup'),
  ).toHaveLength(1)
})

test('spec 2.8: what the API would refuse is refused, with place and remedy', async () => {
  const folder = await freshFolder()
  const refusal = async (input: string) => {
    const { code, stdout, stderr } = await runCli(folder, ['publish', '-'], { input })
    expect(stdout).toBe('')
    expect(code).toBe(1)
    return stderr
  }
  const slots = [{ mod: 'NM', index: 100, beatmapId: 75 }]
  expect(await refusal(JSON.stringify({ ...pool, slots }))).toMatch(/slots\[0\]\.index must be/)
  expect(await refusal(JSON.stringify({ ...pool, slots: [] }))).toMatch(/slots/)
  expect(await refusal('{')).toMatch(/valid JSON/)
  expect(await refusal(`"${'x'.repeat(16_384)}"`)).toMatch(/at most 16384 bytes/)
})

test('a file that is not there exits 1', async () => {
  const { code, stderr } = await runCli(await freshFolder(), ['publish', '/does/not/exist.json'])
  expect(stderr).toMatch(
    /^mapcrate-server publish: \/does\/not\/exist\.json cannot be read: ENOENT/,
  )
  expect(code).toBe(1)
})
