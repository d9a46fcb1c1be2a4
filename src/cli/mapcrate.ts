#!/usr/bin/env node
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { CliError, runProgram } from './program.ts'
import { Screen } from './user/screen.ts'
import { describeError } from './user/errors.ts'
import type { CliContext } from './user/user-command.ts'
import { userAbout, userCommands } from './user/user-commands.ts'

const interruption = new AbortController()
let isLeft = false
const { env, platform, stdin, stdout, stderr } = process

const around: CliContext = {
  env,
  platform,
  home: homedir(),
  stdin,
  screen: new Screen(stdout, stderr, env),
  signal: interruption.signal,
  interrupt: () => interruption.abort(new CliError('interrupted', 'interrupted')),
  async leaveInterrupts(work) {
    isLeft = true
    try {
      return await work()
    } finally {
      isLeft = false
    }
  },
  now: () => performance.timeOrigin + performance.now(),
}

for (const stream of [stdout, stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever read it has seen enough: head, for example.
    process.exit(error.code === 'EPIPE' ? 0 : 1)
  })
}
process.on('SIGINT', () => {
  if (isLeft) return
  // Whoever presses it twice does not want to wait.
  if (interruption.signal.aborted) process.exit(130)
  around.interrupt()
})

const manifest = JSON.parse(
  await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
) as { readonly version: string }

process.exitCode = await runProgram(
  {
    name: 'mapcrate',
    about: userAbout,
    version: manifest.version,
    commands: userCommands(around),
    describe: describeError,
  },
  process.argv.slice(2),
)
