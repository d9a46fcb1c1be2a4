#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { describeTrouble } from '../main/trouble.ts'
import { Misuse } from './command.ts'
import { runProgram } from './run-program.ts'
import { serverCommands } from './server-commands.ts'
import { systemErrorText } from './system-error.ts'

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { readonly version: string }

process.exitCode = await runProgram(
  {
    name: 'mapcrate-server',
    about: `For operators: runs the services and changes their store. Every command works while the server
runs, as long as DATA_DIR names the same folder (see docs/configuration.md). Exit codes: 0 done,
1 failed, 2 wrong use.`,
    version,
    commands: serverCommands,
    describe: (error) => {
      if (error instanceof Misuse) return error.message
      const isOfFile = error instanceof Error && 'path' in error
      return (isOfFile ? systemErrorText(error) : null) ?? describeTrouble(error)
    },
  },
  process.argv.slice(2),
)
