import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqliteStores } from '../../src/adapters/storage/sqlite/open.ts'
import { someFacts } from '../ports/sample-tournament.ts'
import { expectError } from '../support/door.ts'
import { freshFolder, makeKey, runCli, startServer } from '../support/processes.ts'

const pool = { name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 75 }] }

/** A running server with an owner and somebody else, and one pack of the owner. */
const openHouse = async (visibility: string) => {
  const folder = await freshFolder()
  const server = await startServer(folder)
  const owner = await makeKey(folder, { gameId: 1, username: 'Owner' })
  const other = await makeKey(folder, { gameId: 2, username: 'Other' })
  const body = { ...pool, visibility }
  const saved = await server.packs.ask('POST', '/packs', { key: owner, body })
  const slug: string = saved.json.pack.slug
  return {
    server,
    slug,
    does: (...words: string[]) => runCli(folder, [...words, '--', slug]),
    asOwner: () => server.packs.ask('GET', `/packs/${slug}`, { key: owner }),
    asOther: () => server.packs.ask('GET', `/packs/${slug}`, { key: other }),
  }
}

test('spec 3: hide and unhide work at once beside a running server', async () => {
  const { server, slug, does, asOwner, asOther } = await openHouse('public')
  expect((await asOther()).status).toBe(200)

  expect(await does('hide')).toEqual({ code: 0, stdout: `hid ${slug} (Finals)\n`, stderr: '' })
  expectError(await asOther(), 'not_found')
  expect((await asOwner()).json.pack.hiddenAt).toMatch(/Z$/)

  expect(await does('unhide')).toEqual({ code: 0, stdout: `unhid ${slug} (Finals)\n`, stderr: '' })
  expect((await asOther()).status).toBe(200)
  expect((await asOwner()).json.pack.hiddenAt).toBeUndefined()
  expect((await server.stop()).code).toBe(0)
})

test('D-30: pin and unpin; a hidden pack cannot be pinned', async () => {
  const { slug, does } = await openHouse('public')
  expect(await does('pin')).toEqual({ code: 0, stdout: `pinned ${slug} (Finals)\n`, stderr: '' })
  expect((await does('unpin')).stdout).toBe(`unpinned ${slug} (Finals)\n`)
  await does('hide')
  const refused = await does('pin')
  expect(refused.stderr).toBe(
    'mapcrate-server pin: a hidden pack cannot be pinned; unhide it first\n',
  )
  expect(refused.code).toBe(1)
})

test('what was so already is reported as unchanged, an unknown slug as an error (D-30)', async () => {
  const { slug, does } = await openHouse('public')
  const nothing = (words: string) => ({
    code: 0,
    stdout: `${slug} (Finals) ${words}; nothing was changed\n`,
    stderr: '',
  })
  expect(await does('unpin')).toEqual(nothing('was not pinned'))
  expect(await does('unhide')).toEqual(nothing('was not hidden'))
  await does('pin')
  expect(await does('pin')).toEqual(nothing('was pinned already'))
  expect((await does('hide')).stdout).toBe(`hid ${slug} (Finals), which is no longer pinned\n`)
  expect(await does('hide')).toEqual(nothing('was hidden already'))
  expect((await does('hide', '--reason', 'spam')).stdout).toBe(
    `${slug} (Finals) was hidden already; only the reason was changed\n`,
  )
})

test('D-30: a private pack is not found, as one that does not exist', async () => {
  const { slug, does } = await openHouse('private')
  const answers = await Promise.all(['hide', 'unhide', 'pin', 'unpin'].map((word) => does(word)))
  for (const { code, stderr } of answers) {
    expect(stderr).toMatch(/: there is no unlisted or public pack with this slug\n$/)
    expect(code).toBe(1)
  }
  expect(slug).toHaveLength(10)
})

test('a slug that begins with a hyphen is a slug, with and without --', async () => {
  const folder = await freshFolder()
  await makeKey(folder)
  for (const args of [['-aaaaaaaaa'], ['--', '--aaaaaaaa'], ['--aaaaaaaa']]) {
    const { code, stderr } = await runCli(folder, ['hide', ...args])
    expect(stderr).toMatch(/there is no unlisted or public pack/)
    expect(code).toBe(1)
  }
})

test('D-76: hide-tournament and show-tournament work at once beside a running server, and are logged', async () => {
  const folder = await freshFolder()
  const server = await startServer(folder)
  const host = await makeKey(folder, { gameId: 1, username: 'Host', service: 'pools' })
  const other = await makeKey(folder, { gameId: 2, username: 'Other', service: 'pools' })
  const ask = (method: string, path: string, body: object, key = host) =>
    server.pools.ask(method, path, { key, body })
  const made = await ask('POST', '/tournaments', { name: 'HLC', visibility: 'public' })
  const slug: string = made.json.tournament.slug
  const path = `/tournaments/${slug}`
  const round = await ask('POST', `${path}/rounds`, pool)
  const release = () => ask('PUT', `${path}/rounds/${round.json.round.id}/release`, { at: 'now' })
  const asOther = () => server.pools.ask('GET', path, { key: other })
  const does = (...words: string[]) => runCli(folder, words)
  const succeeded = (stdout: string) => ({
    code: 0,
    stdout: `${slug} (HLC) ${stdout}\n`,
    stderr: '',
  })

  const page = `https://pools.example/t/${slug}/edit`
  const hidden = await does('hide-tournament', '--reason', 'spam', '--', page)
  expect(hidden).toEqual({ code: 0, stdout: `hid ${slug} (HLC)\n`, stderr: '' })
  expectError(await asOther(), 'not_found')
  expectError(await release(), 'conflict', /^the tournament is hidden/)
  expect(await does('hide-tournament', '--', slug)).toEqual(
    succeeded('was hidden already; nothing was changed'),
  )

  const shown = await does('show-tournament', '--reason', 'a mistake', '--', slug)
  expect(shown).toEqual({ code: 0, stdout: `showed ${slug} (HLC)\n`, stderr: '' })
  expect(await does('show-tournament', '--', slug)).toEqual(
    succeeded('was not hidden; nothing was changed'),
  )
  expect((await asOther()).status).toBe(200)
  expect((await release()).status).toBe(200)
  expect((await server.stop()).code).toBe(0)

  const { packs, care } = await openSqliteStores(join(folder, 'mapcrate.db'))
  const log = (await packs.readLog(1, 50)).rows.map(({ action, subject, reason, by }) => {
    return { action, subject, reason, by }
  })
  await care.close()
  const kept = { subject: 'tournament', by: 'operator' }
  expect(log).toEqual([
    { action: 'unhide', ...kept, reason: 'a mistake' },
    { action: 'hide', ...kept, reason: 'spam' },
  ])
})

test('D-60: a private tournament is not found, as one that does not exist', async () => {
  const folder = await freshFolder()
  await makeKey(folder, { gameId: 1, username: 'Host' })
  const stores = await openSqliteStores(join(folder, 'mapcrate.db'))
  const host = (await stores.accounts.findByGameId(1))!
  const facts = { ...someFacts, visibility: 'private', slug: 'private001', createdAt: 0 } as const
  await stores.tournaments.create(facts, host.id, 20)
  await stores.care.close()
  for (const slug of ['private001', 'missing001']) {
    for (const command of ['hide-tournament', 'show-tournament']) {
      expect(await runCli(folder, [command, slug])).toEqual({
        code: 1,
        stdout: '',
        stderr: `mapcrate-server ${command}: there is no public tournament with this slug\n`,
      })
    }
  }
})
