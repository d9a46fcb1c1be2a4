import { expect, test } from 'vitest'
import { expectError } from '../support/door.ts'
import { freshFolder, makeKey, runCli, startServer } from '../support/processes.ts'
import { until } from '../support/until.ts'

const MINUTE = /\d{4}-\d\d-\d\d \d\d:\d\d/g

const openHouse = async () => {
  const folder = await freshFolder()
  const key = await makeKey(folder, { gameId: 4711, username: 'Ada' })
  const does = async (...words: string[]) => {
    const { code, stderr, stdout } = await runCli(folder, words)
    expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' })
    return stdout.replaceAll(MINUTE, 'T')
  }
  return { folder, key, does }
}

test('a notice is on the pages of both sites while the server runs, and after a restart', async () => {
  const { folder, does } = await openHouse()
  const first = await startServer(folder)
  const pageOf = async ({ packs, pools }: typeof first) =>
    Promise.all([packs, pools].map(async ({ url }) => (await fetch(url)).text()))
  const isShown = async (server: typeof first, text: string) =>
    (await pageOf(server)).every((page) => page.includes(`<p dir="auto">${text}</p>`))

  expect(await does('notice')).toBe('there is no notice\n')
  expect(await does('notice', 'Down at 20:00')).toBe(
    'shown on all pages from now on: Down at 20:00\n',
  )
  await until(() => isShown(first, 'Down at 20:00'))
  expect(await does('notice')).toBe('since T UTC: Down at 20:00\n')
  await does('notice', 'Down at 21:00')
  await until(() => isShown(first, 'Down at 21:00'))
  expect((await pageOf(first)).join('')).not.toContain('20:00')
  expect((await first.stop()).code).toBe(0)

  const second = await startServer(folder)
  expect(await isShown(second, 'Down at 21:00')).toBe(true)
  expect(await does('notice', '--clear')).toBe('cleared: Down at 21:00\n')
  expect(await does('notice', '--clear')).toBe('there was no notice\n')
  await until(async () => !(await pageOf(second)).join('').includes('<aside'))
})

test('read-only holds in a running server when the command has ended, and after a restart', async () => {
  const { folder, key, does } = await openHouse()
  const body = { name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 75 }] }
  const first = await startServer(folder)
  const save = ({ packs }: typeof first) => packs.ask('POST', '/packs', { key, body })
  expect((await save(first)).status).toBe(201)
  expect(await does('read-only')).toBe('off\n')
  expect(await does('read-only', 'on', '--reason', 'we move')).toBe(
    'nothing can be changed any more\n',
  )
  expectError(await save(first), 'unavailable', /: we move$/)
  expect((await first.packs.ask('GET', '/me/packs', { key })).json.total).toBe(1)
  expect(await does('read-only')).toBe('on since T UTC: we move\n')
  await first.stop()

  const second = await startServer(folder)
  expectError(await save(second), 'unavailable', /: we move$/)
  for (const [reason, said] of [
    ['we move', 'the reason is the same'],
    ['we have moved', 'the reason is this one now'],
    [null, 'there is no reason any more'],
    [null, 'there is still no reason'],
  ] as const) {
    const words = reason === null ? [] : ['--reason', reason]
    expect(await does('read-only', 'on', ...words)).toBe(`it was read-only already; ${said}\n`)
    const shown = reason === null ? '' : `: ${reason}`
    expect(await does('read-only')).toBe(`on since T UTC${shown}\n`)
  }
  // What the operator does is done nevertheless.
  expect(await does('suspend', '--game-id', '12', '--reason', 'x')).toBe('suspended player 12\n')
  expect(await does('read-only', 'off')).toBe('everything can be changed again\n')
  expect(await does('read-only', 'off')).toBe('it was not read-only\n')
  // A save would spend a write each time it is tried.
  await until(async () => !(await (await fetch(second.packs.url)).text()).includes('<aside'))
  expect((await save(second)).status).toBe(201)
})

test.each([
  [['notice', '--clear', 'x'], 2, 'give TEXT or --clear, not both'],
  [['notice', 'two', 'words'], 2, '"words" is one too many'],
  [['notice', 'x'.repeat(301)], 2, 'the notice must have 1 to 300 characters'],
  [['notice', '🏆'.repeat(151)], 2, 'the notice must have 1 to 300 characters; emoji count as two'],
  [['read-only', 'maybe'], 2, '"maybe" is not known; give on or off'],
  [['read-only', 'off', '--reason', 'x'], 2, '--reason is for on alone'],
  [['read-only', '--reason', 'x'], 2, '--reason is for on alone'],
  [['read-only', 'on', '--reason', 'x'.repeat(301)], 2, 'reason must have 1 to 300 characters'],
])('%j ends with %i and changes nothing', async (words, code, message) => {
  const { folder, does } = await openHouse()
  const ending = await runCli(folder, words)
  expect(ending.stderr).toContain(message)
  expect([ending.code, ending.stdout]).toEqual([code, ''])
  expect([await does('notice'), await does('read-only')]).toEqual(['there is no notice\n', 'off\n'])
})
