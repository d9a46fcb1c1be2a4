#!/usr/bin/env node
import { describeError } from '../main/startup-error.ts'
import { serverCommands } from './commands/table.ts'
import { CliError, runProgram } from './program.ts'
import { systemErrorText } from './system-error.ts'

process.exitCode = await runProgram(
  {
    name: 'mapcrate-server',
    about: `Runs and administers the services of Mapcrate. Unless noted otherwise, commands can be used while the
server runs, with the same configuration (see docs/configuration.md).

Exit status: 0 success, 1 failure, 2 usage error.`,
    commands: serverCommands,
    describe(error) {
      if (error instanceof CliError) return error.message
      const isOfFile = error instanceof Error && 'path' in error
      return (isOfFile ? systemErrorText(error) : null) ?? describeError(error)
    },
  },
  process.argv.slice(2),
)
