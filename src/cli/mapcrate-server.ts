#!/usr/bin/env node
import { serverProgram } from './commands/table.ts'
import { runProgram } from './program.ts'
import { endWithOutput } from './system-error.ts'

endWithOutput(process, 'mapcrate-server')
process.exitCode = await runProgram(serverProgram, process.argv.slice(2))
