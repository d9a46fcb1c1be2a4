#!/usr/bin/env node
import { serverProgram } from './commands/table.ts'
import { runProgram } from './program.ts'

process.exitCode = await runProgram(serverProgram, process.argv.slice(2))
