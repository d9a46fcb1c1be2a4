import { expect, test } from 'vitest'
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

test('A-6: what was so already is reported as unchanged, an unknown slug as an error (D-30)', async () => {
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
