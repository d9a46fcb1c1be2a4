import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { serverCommands, serverProgram } from '../../src/cli/commands/table.ts'
import { type Command, runProgram } from '../../src/cli/program.ts'
import { freshFolder, makeKey, runCli } from '../support/processes.ts'

const SLUG = 'q7Jm2_xT0a'

/** What is wrong in any argument: bytes that are not UTF-8 come as U+FFFD (D-18, D-47). */
const garbled = ['a\nb', 'a\rb', '\u001b[31mx', '\u009b31mx', 'a\u0000', 'a\u2028b', 'a\ufffdb']
/** What is wrong in a text that people read, besides (D-19, D-47). */
const badTexts = (longest: number) => ['', ' ', 'x'.repeat(longest + 1), 'a\u202eb', 'a\u2066b']
const badIds = ['', '0', '-1', '1e3', '1.5', 'x', '9007199254740992']
const badSlugs = ['', ' ', 'short', 'a/b', `${SLUG}x`, `https://x.example/q/${SLUG}`]
const badStores = ['', ' ', 'postgres://host:port/']

/** An argument: the option or the word that it is, a good value, and the bad ones. */
type Argument = readonly [name: string, good: string, bad: readonly string[]]
const service: Argument = ['--service', 'packs', ['', 'site', 'PACKS']]
const gameId: Argument = ['--game-id', '4711', badIds]
const username: Argument = ['--username', 'Ada', badTexts(64)]
const reason: Argument = ['--reason', 'asked for', badTexts(300)]
const slug: Argument = ['SLUG', SLUG, badSlugs]
const file: Argument = ['FILE', 'none.json', ['', ' ']]

/** Every argument of every command, in calls whose other arguments are good. */
const calls: readonly (readonly [command: string, ...(readonly Argument[])])[] = [
  ['serve', ['--role', 'api', ['', 'host', 'api,', 'api worker']]],
  ['key', service, gameId, username],
  ['revoke', service, gameId],
  ['moderator', gameId, reason],
  ['account', gameId],
  ['account', username],
  ['delete-account', gameId, reason],
  ['hide', reason, slug],
  ['unhide', reason, slug],
  ['pin', reason, slug],
  ['unpin', reason, slug],
  ['hide-tournament', reason, slug],
  ['show-tournament', reason, slug],
  ['suspend', gameId, reason],
  ['unsuspend', gameId, reason],
  ['log', ['--since', '7d', ['', 'x', '7y', '2026-02-30', '2026-11-26T25:00:00Z']]],
  ['log', ['--limit', '7', ['', '0', '-1', 'x', '1.5', '100001']]],
  ['notice', ['[TEXT]', 'Down at 20:00', badTexts(300)]],
  ['read-only', ['[on|off]', 'on', ['', 'ON', 'maybe']], reason],
  ['publish', ['--replace', SLUG, badSlugs], file],
  ['publish', ['--tournament', SLUG, badSlugs], ['--round', 'Finals', badTexts(64)], file],
  ['unpublish', slug],
  ['recompute', ['[SLUG]', SLUG, badSlugs]],
  ['backup', ['--keep', '14', ['', '0', '-1', 'x', '10000']], file],
  ['restore', file],
  ['copy', ['--from', 'none.db', badStores], ['--to', 'other.db', badStores]],
]

/** Runs a command in this process, `serve` too: with what is bad here, it serves nothing. */
const run = async (dataDir: string, words: readonly string[]) => {
  const output = { stdout: '', stderr: '' }
  const to = (stream: 'stdout' | 'stderr') => ({
    write: (text: string) => (output[stream] += text),
  })
  const io = { env: { DATA_DIR: dataDir }, stdout: to('stdout'), stderr: to('stderr') }
  const mask = process.umask()
  const code = await runProgram(serverProgram, words, io)
  process.umask(mask)
  return { code, ...output }
}

/** The words of a call, with `value` in place of the good one of the argument at `place`. */
const wordsOf = (command: string, args: readonly Argument[], place = -1, value = '') => [
  command,
  ...args.flatMap(([name, good], at) => {
    const word = at === place ? value : good
    return name.startsWith('--') ? [`${name}=${word}`] : [word]
  }),
]

/** What a terminal would act on. */
const actedOn = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

const cases = calls.map(([command, ...args]) => {
  return { command, args, takes: args.map(([name]) => name).join(' ') }
})

describe.each(cases)('$command $takes', ({ command, args }) => {
  test.each(args.map(([name, , bad], place) => ({ name, place, bad: [...bad, ...garbled] })))(
    'with a bad $name ends with 2, says why in one line, and makes no store',
    async ({ place, bad }) => {
      const folder = await freshFolder()
      for (const value of bad) {
        const words = wordsOf(command, args, place, value)
        const { code, stdout, stderr } = await run(folder, words)
        expect({ words, code, stdout, stderr }).toEqual({
          words,
          code: 2,
          stdout: '',
          stderr: expect.stringMatching(
            new RegExp(
              `^mapcrate-server ${command}: .+\nSee mapcrate-server ${command} --help.\n$`,
            ),
          ),
        })
        expect(stderr).not.toMatch(actedOn)
        expect(await readdir(folder)).toEqual([])
      }
    },
  )
})

test('the calls above have every argument of every command', async () => {
  const takesValues = ({ options = [], words = [] }: Command) => [
    ...options.filter(({ takes }) => takes !== undefined).map(({ name }) => `--${name}`),
    ...words,
  ]
  for (const { name, load } of serverCommands) {
    const tried = calls.filter(([command]) => command === name).flatMap(([, ...args]) => args)
    expect([name, [...new Set(tried.map(([argument]) => argument))].toSorted()]).toEqual([
      name,
      takesValues(await load()).toSorted(),
    ])
  }
})

test('what is wrong in a file is no usage error', async () => {
  const folder = await freshFolder()
  const broken = join(folder, 'pool.json')
  await writeFile(broken, '{"name":"","slots":[]}')
  for (const words of [
    ['publish', broken],
    ['publish', join(folder, 'none.json')],
    ['restore', join(folder, 'none.db')],
    ['copy', '--from', join(folder, 'none.db')],
  ]) {
    expect({ words, code: (await runCli(folder, words)).code }).toEqual({ words, code: 1 })
  }
})

const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\u001b',
        '[31m',
        '\n',
        '\r',
        '\u0007',
        '\u007f',
        '\u009b',
        '\u2028',
        '\u2029',
      ),
      fc.constantFrom(
        '\u061c',
        '\u200e',
        '\u200f',
        '\u202a',
        '\u202e',
        '\u2066',
        '\u2069',
        '\ufffd',
      ),
      fc.constantFrom('"', '\\', '=', '--', ' ', 'a', 'א', '🏆'),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

test('nothing of an argument that a terminal acts on is printed, wherever it stands (D-47)', async () => {
  const folder = await freshFolder()
  await makeKey(folder)
  const place = fc.constantFrom(
    ...calls
      .filter(([command]) => !['serve', 'read-only'].includes(command))
      .flatMap(([command, ...args]) => args.map((_, at) => ({ command, args, at }))),
  )
  await fc.assert(
    fc.asyncProperty(place, anyText, async ({ command, args, at }, text) => {
      // Of files, only names in a folder that is not there.
      const value = args[at]![0] === 'FILE' ? join(folder, 'none', text.replaceAll('/', '')) : text
      const ending = await run(folder, wordsOf(command, args, at, value))
      const all = ending.stdout + ending.stderr
      expect(all).not.toMatch(actedOn)
      if (/[\n\r]/.test(text)) expect(all.split('\n')).toHaveLength(3)
    }),
    { numRuns: 300 },
  )
  await fc.assert(
    fc.asyncProperty(anyText, anyText, async (first, second) => {
      fc.pre(!['serve', 'help', 'version', '--help', '-h'].includes(first))
      const { stdout, stderr } = await run(folder, [first, second])
      expect(stdout + stderr).not.toMatch(actedOn)
    }),
  )
})

test('texts of people are printed escaped, and in JSON as they are (D-47)', async () => {
  const folder = await freshFolder()
  await makeKey(folder)
  const pool = { name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 75 }] }
  await writeFile(join(folder, 'pool.json'), JSON.stringify(pool))
  const published = await runCli(folder, ['publish', join(folder, 'pool.json')])
  const [packSlug = ''] = published.stdout.split('\n')
  for (const words of [
    ['notice', 'x'],
    ['read-only', 'off'],
    ['moderator', '--game-id', '4711'],
    ['suspend', '--game-id', '4711', '--reason', 'x'],
    ['hide', '--reason', 'x', packSlug],
  ]) {
    expect((await runCli(folder, words)).stderr).toBe('')
  }
  // As a store may hold them that was made before the rules, or by hand.
  using store = new DatabaseSync(join(folder, 'mapcrate.db'))
  const keep = (text: string) => {
    store.prepare('update account set username = ? where game_id = 4711').run(text)
    store.prepare('update moderation_log set reason = ?1, pack_name = ?1').run(text)
    store.prepare('update suspension set reason = ?').run(text)
    store.prepare('update pack set name = ?').run(text)
    store.prepare("update operator_state set text = ? where name = 'notice'").run(text)
  }
  await fc.assert(
    fc.asyncProperty(anyText, async (any) => {
      const text = any.toWellFormed().replaceAll('\u0000', '').replaceAll('\n', '')
      keep(text)
      for (const words of [
        ['notice'],
        ['moderators'],
        ['log'],
        ['account', '--game-id', '4711'],
        ['account', '--game-id', '4711', '--json'],
        ['log', '--json'],
        ['hide', packSlug],
        ['unsuspend', '--game-id', '4711'],
        ['suspend', '--game-id', '4711', '--reason', 'x'],
      ]) {
        const { code, stdout, stderr } = await run(folder, words)
        expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' })
        expect(stdout).not.toMatch(actedOn)
        if (words.at(-1) !== '--json') continue
        const { username = text, entries = [{ reason: text }] } = JSON.parse(stdout)
        expect([username, entries.at(-1).reason]).toEqual([text, text])
      }
    }),
    { numRuns: 30 },
  )
})
