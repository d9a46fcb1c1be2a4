import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshFolder, makeKey, runCli, startServer } from '../support/processes.ts'

const pool = {
  name: 'OWC 2025 Finals',
  visibility: 'private',
  description: 'Week 6',
  slots: [
    { mod: 'NM', index: 1, beatmapId: 4384629 },
    { mod: 'TB', index: 1, beatmapId: 3326839 },
  ],
}

const asFile = async (text: string): Promise<string> => {
  const file = join(await freshFolder(), 'pool.json')
  await writeFile(file, text)
  return file
}

test('publish makes a new pack each time, --replace SLUG replaces one, unpublish SLUG removes one (D-57)', async () => {
  const folder = await freshFolder()
  const file = join(folder, 'pool.json')
  const server = await startServer(folder, { POOLS_OWNER_NAME: 'World cup' })
  const key = await makeKey(folder)
  await writeFile(file, JSON.stringify(pool))
  const first = await runCli(folder, ['publish', file])
  expect(first).toMatchObject({ code: 0, stderr: '' })
  const [slug, url] = first.stdout.split('\n')
  expect(slug).toMatch(/^[A-Za-z0-9_-]{10}$/)
  expect(url).toBe(`http://127.0.0.1:8080/p/${slug}`)
  const read = () => server.packs.ask('GET', `/packs/${slug}`, { key })
  expect((await read()).json.pack).toMatchObject({
    name: 'OWC 2025 Finals',
    visibility: 'public',
    description: 'Week 6',
    ownerName: 'World cup',
  })

  const changed = { ...pool, name: ' OWC 2025 Finals ', description: 'Week 7' }
  const input = JSON.stringify(changed)
  const second = await runCli(folder, ['publish', '-'], {
    input,
    env: { PACKS_URL: 'https://packs.example.org/' },
  })
  const [other = ''] = second.stdout.split('\n')
  expect(other).not.toBe(slug)
  expect(second.stdout).toBe(`${other}\nhttps://packs.example.org/p/${other}\n`)
  expect(second.stderr).toBe(`Another published pool has this name: ${slug}. It was not changed.\n`)
  const { pack: before } = (await read()).json
  expect(before.description).toBe('Week 6')

  const third = await runCli(folder, ['publish', '-', '--replace', url!], {
    input,
    env: { PACKS_URL: 'https://packs.example.org', SITE_URL: 'https://maps.example.org' },
  })
  expect(third).toMatchObject({ code: 0, stdout: `${slug}\nhttps://maps.example.org/p/${slug}\n` })
  expect((await read()).json.pack).toMatchObject({ visibility: 'public', description: 'Week 7' })
  expect(third.stderr).toContain(`\n${before.packKey}\n`)
  const json = third.stderr.split('\n').find((line) => line.startsWith('{')) ?? ''
  const undo = await runCli(folder, ['publish', '--replace', slug!, '-'], { input: json })
  expect(undo.code).toBe(0)
  const { pack: restored } = (await read()).json
  expect({ ...restored, updatedAt: '', stats: '' }).toEqual({ ...before, updatedAt: '', stats: '' })

  const gone = await runCli(folder, ['unpublish', '--', other])
  expect(gone).toMatchObject({ code: 0, stdout: `unpublished ${other} (OWC 2025 Finals)\n` })
  expect(gone.stderr).toMatch(/^pk\d\.\S+\n\{"name":"OWC 2025 Finals","description":"Week 7",/m)
  expect((await server.packs.ask('GET', `/packs/${other}`, { key })).status).toBe(404)
  expect((await read()).status).toBe(200)
})

test('D-63: publish --tournament releases the pool as a round, and unpublish takes its pack away', async () => {
  const folder = await freshFolder()
  const server = await startServer(folder)
  const key = await makeKey(folder, { service: 'pools' })
  const body = { name: 'World Cup', visibility: 'public' }
  const made = await server.pools.ask('POST', '/tournaments', { key, body })
  const { slug } = made.json.tournament
  const file = await asFile(JSON.stringify(pool))
  const args = ['publish', file, '--tournament', slug, '--round', 'Finals']
  const first = await runCli(folder, args)
  const [packSlug = ''] = first.stdout.split('\n')
  expect(first).toMatchObject({
    code: 0,
    stdout: `${packSlug}\nhttp://127.0.0.1:8080/p/${packSlug}\n`,
    stderr:
      'The tournament had no round Finals; it was added.\nNot kept, because rounds have none: Description.\n',
  })
  const rounds = async () =>
    (await server.pools.ask('GET', `/tournaments/${slug}`, { key })).json.tournament.rounds
  expect(await rounds()).toMatchObject([
    { name: 'Finals', packName: pool.name, packSlug, slots: pool.slots },
  ])
  const second = await runCli(folder, args)
  expect(second.stdout).toBe(first.stdout)
  expect(second.stderr).toContain(`publish FILE --tournament ${slug} --round "Finals"\n`)
  expect((await runCli(folder, ['unpublish', '--', packSlug])).code).toBe(0)
  const [round] = await rounds()
  expect(round).toMatchObject({ name: 'Finals', slots: pool.slots })
  expect(round.packSlug).toBeUndefined()

  for (const [words, reason, code] of [
    [['--tournament', slug], /give both --tournament and --round/, 2],
    [['--tournament', 'x', '--round', 'Finals'], /"x" is no tournament/, 2],
    [['--tournament', 'aaaaaaaaaa', '--round', 'Finals'], /no tournament with the slug/, 1],
  ] as const) {
    const refused = await runCli(folder, ['publish', file, ...words])
    expect(refused.stderr).toMatch(reason)
    expect(refused).toMatchObject({ code, stdout: '' })
  }
})

test('a pack of a player is neither replaced nor unpublished', async () => {
  const folder = await freshFolder()
  const server = await startServer(folder)
  const key = await makeKey(folder)
  const saved = await server.packs.ask('POST', '/packs', { key, body: pool })
  const { slug } = saved.json.pack
  const file = await asFile(JSON.stringify(pool))
  for (const args of [
    ['publish', file, '--replace', slug],
    ['unpublish', '--', slug],
    ['publish', file, '--replace', 'aaaaaaaaaa'],
  ]) {
    const { code, stdout, stderr } = await runCli(folder, args)
    expect(stderr).toMatch(/: no published tournament pool has the slug [\w-]{10}; /)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  }
  expect((await server.packs.ask('GET', `/packs/${slug}`, { key })).json).toMatchObject(saved.json)
})

test('spec 2.8: what the API would refuse is refused, with place and remedy', async () => {
  const folder = await freshFolder()
  const refusal = async (input: string) => {
    const file = await asFile(input)
    const { code, stdout, stderr } = await runCli(folder, ['publish', file])
    expect(stdout).toBe('')
    expect(code).toBe(1)
    // There is a file, and no request with a body.
    expect(stderr.startsWith(`mapcrate-server publish: ${file} cannot be published: `)).toBe(true)
    expect(stderr).not.toMatch(/\bbody\b/)
    return stderr
  }
  const slots = [{ mod: 'NM', index: 100, beatmapId: 75 }]
  expect(await refusal(JSON.stringify({ ...pool, slots }))).toMatch(/slots\[0\]\.index must be/)
  expect(await refusal(JSON.stringify({ ...pool, slots: [] }))).toMatch(/slots/)
  expect(await refusal('{')).toMatch(/: it must be valid JSON: line 1, /)
  expect(await refusal('')).toMatch(/: it must /)
  expect(await refusal('[]')).toMatch(/: it must be a JSON object/)
  expect(await refusal(`"${'x'.repeat(16_384)}"`)).toMatch(/at most 16384 bytes/)
})

test('a file that is not there exits 1', async () => {
  const { code, stderr } = await runCli(await freshFolder(), ['publish', '/does/not/exist.json'])
  expect(stderr).toMatch(
    /^mapcrate-server publish: \/does\/not\/exist\.json cannot be read: there is no such file; /,
  )
  expect(code).toBe(1)
})
