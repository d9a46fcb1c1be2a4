#!/usr/bin/env node
import { describeError } from '../main/startup-error.ts'
import { serverCommands } from './commands/table.ts'
import { CliError, runProgram } from './program.ts'
import { systemErrorText } from './system-error.ts'

process.exitCode = await runProgram(
  {
    name: 'mapcrate-server',
    about: `For operators: runs the services and changes their store. Every command works while the server
runs, as long as DATA_DIR names the same folder (see docs/configuration.md). Exit codes: 0 done,
1 failed, 2 wrong use.`,
    commands: serverCommands,
    describe(error) {
      if (error instanceof CliError) return error.message
      const isOfFile = error instanceof Error && 'path' in error
      return (isOfFile ? systemErrorText(error) : null) ?? describeError(error)
    },
  },
  process.argv.slice(2),
)
