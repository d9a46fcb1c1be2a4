import { resolve } from 'node:path'
import type { Command } from '../command.ts'
import { copyWithProgress } from '../copy-with-progress.ts'
import { readOnly } from '../read-arguments.ts'

export const restoreCommand: Command = {
  name: 'restore',
  takes: 'FILE',
  details: `Fills the store that the server is configured with from FILE, which \`backup\` has written, and checks
by count and checksum that all is there. The store must be empty: give the server a new DATA_DIR or
another database, or put the old one away. Stop the server first. If it is broken off, call it again.`,
  example: 'restore mapcrate-2026-10-03.db',
  async run(args) {
    await copyWithProgress({ file: resolve(readOnly(args, 'FILE')) }, null)
  },
}
