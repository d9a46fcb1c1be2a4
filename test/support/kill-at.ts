import { StatementSync } from 'node:sqlite'
import { Client } from 'pg'

// Loaded before a program (`--import`): kills it at a statement of its store, or says at the end how many there were.

const killAt = Number(process.env['KILL_AT'])
let statements = 0

function count(): void {
  statements += 1
  if (statements === killAt) process.kill(process.pid, 'SIGKILL')
}

function counting(prototype: object, name: string): void {
  const original = Reflect.get(prototype, name) as (...args: unknown[]) => unknown
  Reflect.set(prototype, name, function counted(this: unknown, ...args: unknown[]) {
    count()
    return original.apply(this, args)
  })
}

for (const name of ['run', 'all', 'get', 'iterate']) counting(StatementSync.prototype, name)
counting(Client.prototype, 'query')

if (killAt === 0) process.on('exit', () => process.stderr.write(`${statements} statements\n`))
