import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, test } from 'vitest'
import { commandHelp } from '../../src/cli/program.ts'
import { asCommand } from '../../src/cli/user/user-command.ts'
import { loadAll } from '../../src/cli/user/user-commands.ts'
import { freshFolder } from '../support/processes.ts'
import { program, runMapcrate } from '../support/run-mapcrate.ts'

const commands = await loadAll()
const names = commands.map(({ name }) => name)
const run = promisify(execFile)

describe('--help', () => {
  it('lists every command that there is to be, and the exit codes', async () => {
    const { code, stdout } = await runMapcrate(['--help'])
    const first = [...new Set(names.map((name) => name.split(' ')[0] ?? ''))]
    expect(first).toEqual(
      'login logout me list get create replace edit delete import export key sync history diff restore watch changes usage tournament completion'.split(
        ' ',
      ),
    )
    for (const name of first) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
    expect(stdout).toMatch(
      /0 success, 1 failure, 2 usage error, 3 partial success[^]*130 interrupted/,
    )
    expect(code).toBe(0)
  })

  it('of a command tells how it is used, with its options and an example', async () => {
    const { code, stdout, stderr } = await runMapcrate(['import', '--help'])
    expect(stdout).toMatch(/^Usage: mapcrate import \[OPTION…\] FILE…\n/)
    expect(stdout).toMatch(/\nOptions:\n {2}--name NAME +\S/)
    expect(stdout).toMatch(/\nExamples:\n {2}mapcrate import semifinals\.csv\n/)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it.each(commands.map((command) => [command.name, command] as const))(
    '%s: lines are short, options and words are named, the example is a call of it',
    (name, command) => {
      const help = commandHelp('mapcrate', name, asCommand(command, {} as never))
      expect(help).toMatch(new RegExp(`\nExamples?:\n  mapcrate ${name}\\b`))
      for (const option of command.options ?? []) expect(help).toContain(`\n  --${option.name}`)
      for (const word of command.words ?? []) expect(help.split('\n')[0]).toContain(word)
      for (const line of help.split('\n')) expect(line.length, line).toBeLessThanOrEqual(132)
    },
  )
})

describe('an argument that is not UTF-8', () => {
  it.each(names)('is refused by %s', async (name) => {
    const { code, stdout, stderr } = await runMapcrate([...name.split(' '), 'a\ufffdb'])
    expect(stderr).toMatch(/: the argument "a\ufffdb" is not valid UTF-8; check the encoding/)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it('is no name with other letters in it', async () => {
    const folder = await freshFolder()
    await writeFile(join(folder, 'pool.csv'), 'NM1,75\n')
    const call = `'${process.execPath}' '${program}' key encode pool.csv --name "$(printf 'caf\\351')"`
    const ended = run('sh', ['-c', call], { cwd: folder })
    await expect(ended).rejects.toMatchObject({ code: 2, stdout: '' })
  })
})

describe('help', () => {
  it('of a command is shown by help COMMAND, too', async () => {
    const { stdout, code } = await runMapcrate(['help', 'import'])
    expect(stdout).toBe((await runMapcrate(['import', '--help'])).stdout)
    expect(code).toBe(0)
    expect((await runMapcrate(['help'])).stdout).toBe((await runMapcrate(['--help'])).stdout)
  })

  it.each([
    [
      ['exprot'],
      'mapcrate: there is no command "exprot"; did you mean export?\nSee mapcrate --help.\n',
    ],
    [
      ['help', 'synch'],
      'mapcrate: there is no command "synch"; did you mean sync?\nSee mapcrate --help.\n',
    ],
    [['frobnicate'], 'mapcrate: there is no command "frobnicate"\nSee mapcrate --help.\n'],
    [
      ['export', 'q7Jm2_xT0a', '--oout=x'],
      'mapcrate export: there is no option "--oout=x"; did you mean --out?\nSee mapcrate export --help.\n',
    ],
  ])('says what was probably meant by %j', async (args, message) => {
    const { code, stderr } = await runMapcrate(args)
    expect(stderr).toBe(message)
    expect(code).toBe(2)
  })
})

test.each(['--version', '-V', 'version'])('%s is that of the package', async (word) => {
  const { version } = JSON.parse(
    await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  expect((await runMapcrate([word])).stdout).toBe(`${version}\n`)
})

describe('completion', () => {
  /** What bash offers behind these words. */
  const offers = async (...words: string[]): Promise<string[]> => {
    const { stdout: script } = await runMapcrate(['completion', 'bash'])
    const list = words.map((word) => `'${word}'`).join(' ')
    const call = `${script}
      COMP_WORDS=(${list}); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); _mapcrate; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout } = await run('bash', ['-c', call])
    return stdout.split('\n').filter((word) => word !== '')
  }

  it('in bash offers commands, options, and what may follow them', async () => {
    const first = names.map((name) => name.split(' ')[0])
    expect(await offers('mapcrate', '')).toEqual(expect.arrayContaining([...first, '--help']))
    expect(await offers('mapcrate', 'de')).toEqual(['delete'])
    expect(await offers('mapcrate', 'sync', '--d')).toEqual(['--dry-run', '--delete'])
    expect(await offers('mapcrate', 'export', 'x', '--as', 're')).toEqual([
      'referee',
      'referee-json',
    ])
    expect(await offers('mapcrate', 'key', '')).toEqual(['encode', 'decode', 'find'])
    expect(await offers('mapcrate', 'import', '')).toEqual([])
    expect(await offers('mapcrate', 'list', '--m')).toEqual(['--mine'])
  })

  it('in bash offers the commands of a group, with options of their own', async () => {
    expect(await offers('mapcrate', 'tou')).toEqual(['tournament'])
    expect(await offers('mapcrate', 'tournament', 'pu')).toEqual(['pull', 'push'])
    expect(await offers('mapcrate', 'tournament', 'pull', '--')).toEqual([
      '--force',
      '--json',
      '--help',
    ])
    expect(await offers('mapcrate', 'tournament', 'list', '--ruleset', 't')).toEqual(['taiko'])
    expect(await offers('mapcrate', 'tournament', 'export', 'x', '--as', 'osdb')).toEqual([
      'osdb',
      'osdb-buckets',
    ])
  })

  it('in bash offers commands behind help', async () => {
    expect(await offers('mapcrate', 'help', 'lo')).toEqual(['login', 'logout'])
  })

  it.each(['zsh', 'fish', 'powershell'])('for %s names every command and option', async (shell) => {
    const { stdout, code } = await runMapcrate(['completion', shell])
    for (const { name, options } of commands) {
      for (const word of name.split(' ')) expect(stdout).toContain(word)
      for (const option of options ?? []) expect(stdout).toContain(option.name)
    }
    expect(code).toBe(0)
  })
})
