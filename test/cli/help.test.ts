import { expect, test } from 'vitest'
import { freshFolder, runCli } from '../support/processes.ts'

const commands =
  'serve key revoke hide unhide pin unpin publish unpublish backup restore copy'.split(' ')

test.each(commands)(
  '%s --help tells how it is used, with an example, and exits 0',
  async (name) => {
    const { code, stdout, stderr } = await runCli(await freshFolder(), [name, '--help'])
    expect(code).toBe(0)
    expect(stderr).toBe('')
    expect(stdout).toMatch(new RegExp(`^Usage: mapcrate-server ${name}\\b`))
    expect(stdout).toMatch(new RegExp(`\nExamples?:\n  mapcrate-server ${name}\\b`))
  },
)

test('--help lists every command and the exit codes', async () => {
  const { code, stdout } = await runCli(await freshFolder(), ['--help'])
  expect(code).toBe(0)
  for (const name of commands) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
  expect(stdout).toContain('0 success')
})

test.each([
  [[], /no command given/],
  [['frobnicate'], /there is no command "frobnicate"/],
  [['serve', 'now'], /serve: .*'now'/],
  [['key'], /key: --service is missing/],
  [['key', '--service', 'packs', '--game-id', '7'], /--username is missing/],
  [['key', '--service', 'site', '--game-id', '7', '--username', 'x'], /--service "site"/],
  [['key', '--service', 'packs', '--game-id', '0', '--username', 'x'], /--game-id "0"/],
  [['key', '--service', 'packs', '--game-id', '1e3', '--username', 'x'], /--game-id "1e3"/],
  [['key', '--service', 'packs', '--game-id', '9007199254740992', '--username', 'x'], /--game-id/],
  [
    ['key', '--service', 'packs', '--service', 'pools', '--game-id', '7'],
    /--service is given twice/,
  ],
  [['revoke', '--service', 'packs', '--game-id', '7', '--force'], /--force/],
  [['hide'], /hide: SLUG is missing/],
  [['hide', 'short'], /"short" is no slug/],
  [['pin', 'aaaaaaaaaa', 'bbbbbbbbbb'], /"bbbbbbbbbb" is one too many/],
  [['publish'], /publish: FILE is missing/],
  [['backup', 'a', 'b'], /"b" is one too many/],
])('wrong use %j exits 2 with the reason on stderr', async (args, reason) => {
  const { code, stdout, stderr } = await runCli(await freshFolder(), args)
  expect(stderr).toMatch(reason)
  expect(stderr).toMatch(/\nSee mapcrate-server .*--help\.\n$/)
  expect(stdout).toBe('')
  expect(code).toBe(2)
})

test('help COMMAND, and what was probably meant', async () => {
  const folder = await freshFolder()
  const { stdout } = await runCli(folder, ['help', 'pin'])
  expect(stdout).toMatch(/^Usage: mapcrate-server pin\b/)
  const command = await runCli(folder, ['unhid', 'aaaaaaaaaa'])
  expect(command.stderr).toMatch(/there is no command "unhid"; did you mean unhide\?\n/)
  const option = await runCli(folder, ['key', '--sevice', 'packs'])
  expect(option.stderr).toMatch(/key: there is no option "--sevice"; did you mean --service\?\n/)
  expect([command.code, option.code]).toEqual([2, 2])
})

test('a configuration that cannot be used exits 1 and says all that is wrong', async () => {
  const { code, stderr } = await runCli(await freshFolder(), ['hide', 'aaaaaaaaaa'], {
    env: { PORT: 'x', LOG_LEVEL: 'y' },
  })
  expect(code).toBe(1)
  expect(stderr).toMatch(/PORT "x"[^]*LOG_LEVEL "y"/)
})
