import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqliteStores } from '../../src/adapters/storage/sqlite/open.ts'
import { expectError } from '../support/door.ts'
import { freshFolder, makeKey, runCli, startServer } from '../support/processes.ts'

const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }]

/** A running server with a host who has packs, a tournament, keys, and a moderator. */
const openHouse = async () => {
  const folder = await freshFolder()
  const server = await startServer(folder)
  const key = await makeKey(folder, { gameId: 4711, username: 'Ada' })
  const poolsKey = await makeKey(folder, { service: 'pools', gameId: 4711 })
  const save = async (body: object): Promise<string> =>
    (await server.packs.ask('POST', '/packs', { key, body: { slots, ...body } })).json.pack.slug
  const slugs = {
    open: await save({ name: 'Finals', visibility: 'public' }),
    secret: await save({ name: 'Draft', visibility: 'private' }),
  }
  const made = await server.pools.ask('POST', '/tournaments', {
    key: poolsKey,
    body: { name: 'Harbour Cup' },
  })
  const tournament: string = made.json.tournament.slug
  const does = (...words: string[]) => runCli(folder, words)
  return { folder, server, key, poolsKey, slugs, tournament, does }
}

const MINUTE = /\d{4}-\d\d-\d\d \d\d:\d\d/g

test('account shows what is stored of a player, and nothing that opens anything', async () => {
  const { folder, key, slugs, tournament, does } = await openHouse()
  await does('hide', slugs.open)
  await does('moderator', '--game-id', '4711')
  const shown = await does('account', '--game-id', '4711')
  expect({ ...shown, stdout: shown.stdout.replaceAll(MINUTE, 'T') }).toEqual({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(
      new RegExp(
        [
          String.raw`^player 4711 \(Ada\)`,
          String.raw`  account     \S+, since T`,
          '  moderator   yes',
          '  suspended   no',
          String.raw`  packs key   made T, last used \d{4}-\d\d-\d\d`,
          String.raw`  pools key   made T, last used \d{4}-\d\d-\d\d`,
          '  sessions    0',
          '  packs       2: 1 public, 1 private; 1 hidden',
          `    ${slugs.secret}  Draft \\(private\\)`,
          `    ${slugs.open}  Finals \\(public, hidden\\)`,
          '  tournaments 1: 1 private',
          `    ${tournament}  Harbour Cup \\(private, only host\\)\n$`,
        ].join('\n'),
      ),
    ),
  })
  expect(shown.stdout).not.toContain(key.slice(6, 12))

  await does('suspend', '--game-id', '4711', '--reason', 'advertising')
  const { stdout } = await does('account', '--username', 'ADA', '--json')
  const facts = JSON.parse(stdout)
  expect(facts).toMatchObject({
    gameId: 4711,
    username: 'Ada',
    account: { id: expect.any(String), createdAt: expect.stringMatching(/Z$/) },
    isModerator: true,
    suspension: { since: expect.stringMatching(/Z$/), by: null, reason: 'advertising' },
    sessions: [],
    tournaments: [{ slug: tournament, role: 'host', isOnlyHost: true }],
  })
  expect(Object.keys(facts.keys.packs)).toEqual(['createdAt', 'lastUsedOn'])
  expect(stdout).not.toContain(key.slice(6, 12))

  const { sessions, accounts, care } = await openSqliteStores(join(folder, 'mapcrate.db'))
  const later = await accounts.ensurePlayer({ gameId: 5, username: 'Ben' }, 'ben', 0)
  await sessions.create(
    {
      hash: 'h',
      accountId: later.id,
      service: 'packs',
      device: 'Firefox on Linux',
      csrf: 'secret',
      createdAt: Date.now(),
    },
    null,
  )
  await care.close()
  const other = await does('account', '--game-id', '5')
  expect(other.stdout.replaceAll(MINUTE, 'T')).toContain(
    '  sessions    1\n    packs, Firefox on Linux, since T, seen T\n  packs       0\n',
  )
})

test('account of somebody who was never here shows what was decided of them', async () => {
  const { does } = await openHouse()
  await does('suspend', '--game-id', '9', '--reason', 'advertising')
  expect((await does('account', '--game-id', '9')).stdout.replaceAll(MINUTE, 'T')).toContain(
    'player 9\n  account     none yet\n  moderator   no\n  suspended   since T, by the operator: advertising\n',
  )
})

test.each([
  [['account'], 2, 'give --game-id or --username'],
  [['account', '--game-id', '1', '--username', 'Ada'], 2, 'not both'],
  [['account', '--game-id', 'x'], 2, '--game-id "x" is no game id'],
  [['account', '--game-id', '12'], 1, 'nothing is known of a player with the game id 12'],
  [['account', '--username', 'Nobody'], 1, 'no player with the name "Nobody" has an account here'],
  [['account', '--game-id', '1', 'x'], 2, 'x'],
  [['delete-account'], 2, '--game-id is missing'],
  [['delete-account', '--game-id', '12', '--yes'], 1, 'no player with the game id 12'],
  [['moderators', 'x'], 2, 'x'],
])('%j ends with %i and says what to do', async (words, code, message) => {
  const folder = await freshFolder()
  await makeKey(folder, { gameId: 4711, username: 'Ada' })
  const ending = await runCli(folder, words)
  expect(ending.stderr).toContain(message)
  expect([ending.code, ending.stdout]).toEqual([code, ''])
})

test.each([
  ['account', '--game-id', '1'],
  ['moderators'],
  ['log'],
  ['notice', 'x'],
  ['read-only', 'on'],
  ['delete-account', '--game-id', '1', '--yes'],
])('%j %j without a store ends with 1 and names where it looked', async (...words) => {
  const folder = join(await freshFolder(), 'nothing')
  const ending = await runCli(folder, words)
  expect(ending.stderr).toContain(`there is no store at ${join(folder, 'mapcrate.db')}`)
  expect(ending.code).toBe(1)
})

test('delete-account shows what would be deleted, and with --yes deletes it at once', async () => {
  const { server, key, poolsKey, slugs, tournament, does } = await openHouse()
  const summary =
    '2 packs, 1 tournament without another host, 0 places on other staffs, 2 API keys, 0 sessions'
  const asked = await does('delete-account', '--game-id', '4711')
  expect(asked).toEqual({
    code: 1,
    stdout: expect.stringContaining(`${slugs.open}  Finals (public)`),
    stderr: `mapcrate-server delete-account: nothing was deleted; with --yes, this is: ${summary}\n`,
  })
  expect((await server.packs.ask('GET', '/me', { key })).status).toBe(200)

  const done = await does('delete-account', '--game-id', '4711', '--yes', '--reason', 'asked for')
  expect(done).toEqual({
    code: 0,
    stdout: `deleted player 4711 (Ada): ${summary}\n`,
    stderr: '',
  })
  expectError(await server.packs.ask('GET', '/me', { key }), 'invalid_api_key')
  expectError(await server.pools.ask('GET', '/me', { key: poolsKey }), 'invalid_api_key')
  const page = await fetch(`${server.packs.url}/p/${slugs.open}`)
  expect(page.status).toBe(404)
  expect((await fetch(`${server.pools.url}/t/${tournament}`)).status).toBe(404)
  const again = await does('delete-account', '--game-id', '4711', '--yes')
  expect([again.code, again.stdout]).toEqual([1, ''])

  // What is left of it in the log has no name.
  const { stdout } = await does('log', '--json')
  expect(JSON.parse(stdout).entries).toEqual([
    {
      at: expect.any(String),
      moderator: null,
      action: 'delete',
      subject: 'player',
      gameId: 4711,
      reason: 'asked for',
    },
  ])
})

test('moderators lists them with what is known', async () => {
  const folder = await freshFolder()
  const does = async (...words: string[]) => (await runCli(folder, words)).stdout
  await makeKey(folder, { gameId: 4711, username: 'Ada' })
  expect(await does('moderators')).toBe('there are no moderators\n')
  await does('moderator', '--game-id', '4711')
  await does('moderator', '--game-id', '12')
  const lines = (await does('moderators')).replaceAll(MINUTE, 'T').trimEnd().split('\n')
  expect(lines.toSorted()).toEqual([
    '12  (no name yet), since T, no session',
    '4711  Ada, since T, no session',
  ])
  const { moderators } = JSON.parse(await does('moderators', '--json'))
  expect(moderators).toHaveLength(2)
  expect(moderators).toContainEqual({
    gameId: 4711,
    username: 'Ada',
    since: expect.stringMatching(/Z$/),
    signedInAt: null,
  })
})
