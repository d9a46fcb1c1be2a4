#!/usr/bin/env node
import { homedir } from 'node:os'
import { CliError, runProgram } from './program.ts'
import { endWithOutput } from './system-error.ts'
import { Screen } from './user/screen.ts'
import type { Machine } from './user/user-command.ts'
import { userProgram } from './user/user-commands.ts'

const interruption = new AbortController()
let isIgnored = false
let isEndless = false
const { env, platform, stdin, stdout, stderr } = process

const machine: Machine = {
  env,
  platform,
  home: homedir(),
  stdin,
  screen: new Screen(stdout, stderr, env),
  signal: interruption.signal,
  interrupt: () => interruption.abort(new CliError('interrupted', 'interrupted')),
  async ignoreInterrupts(work) {
    isIgnored = true
    try {
      return await work()
    } finally {
      isIgnored = false
    }
  },
  endUnread: () => {
    isEndless = true
  },
  now: () => performance.timeOrigin + performance.now(),
}

// What is being saved is saved all the same.
endWithOutput(process, 'mapcrate', () => {
  if (isEndless) process.exit(0)
})
process.on('SIGINT', () => {
  if (isIgnored) return
  // A second Ctrl+C ends the program at once.
  if (interruption.signal.aborted) process.exit(130)
  machine.interrupt()
})

process.exitCode = await runProgram(userProgram(machine), process.argv.slice(2))
