import { resolve } from 'node:path'
import type { StorePlace } from '../../main/copy-store.ts'
import { type Command, Misuse } from '../command.ts'
import { copyWithProgress } from '../copy-with-progress.ts'
import { readNothing, takeOption } from '../read-arguments.ts'

const placeOf = (text: string): StorePlace =>
  /^postgres(ql)?:\/\//i.test(text) ? { databaseUrl: text } : { file: resolve(text) }

export const copyCommand: Command = {
  name: 'copy',
  takes: '--from STORE [--to STORE]',
  details: `Copies a whole store to an empty one, and checks by count and checksum that all is there. A STORE is
a file such as data/mapcrate.db, or the address of a database, postgres://…; without --to it is the
one that the server is configured with, so that no password need stand on the command line. Stop the
server first: what is written meanwhile does not come along. If it is broken off, call it again: it goes
on where it was, and no server uses the store before.`,
  example: 'copy --from data/mapcrate.db',
  async run(args) {
    const { value: from, rest } = takeOption(args, 'from')
    const { value: to, rest: others } = takeOption(rest, 'to')
    if (from === undefined) throw new Misuse('--from is missing')
    readNothing(others)
    await copyWithProgress(placeOf(from), to === undefined ? null : placeOf(to))
  },
}
