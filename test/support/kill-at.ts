import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { Client } from 'pg'

// Loaded before a program (`--import`): kills it at a step, which is a statement of its store or a change of a file, or
// says at the end how many there were.

const killAt = Number(process.env['KILL_AT'])
let steps = 0

function count(): void {
  steps += 1
  if (steps === killAt) process.kill(process.pid, 'SIGKILL')
}

function counting(
  owner: object,
  name: string,
  isStep: (args: readonly unknown[]) => boolean = () => true,
): void {
  const original = Reflect.get(owner, name) as (...args: unknown[]) => unknown
  Reflect.set(owner, name, function counted(this: unknown, ...args: unknown[]) {
    if (isStep(args)) count()
    return original.apply(this, args)
  })
}

for (const name of ['run', 'all', 'get', 'iterate']) counting(StatementSync.prototype, name)
for (const name of ['exec', 'close']) counting(DatabaseSync.prototype, name)
counting(Client.prototype, 'query')
for (const name of ['mkdir', 'mkdtemp', 'chmod', 'copyFile', 'link', 'rename', 'rm']) {
  counting(fs.promises, name)
}
for (const name of ['chmodSync', 'rmSync']) counting(fs, name)
// Modules are read, too.
const makesFile = ([, flags]: readonly unknown[]): boolean => flags === 'wx'
counting(fs.promises, 'open', makesFile)
counting(fs, 'openSync', makesFile)
syncBuiltinESMExports()

if (killAt === 0) process.on('exit', () => process.stderr.write(`${steps} steps\n`))
