import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isatty } from 'node:tty'
import { loadConfig } from '../../main/config.ts'
import { Trouble } from '../../main/trouble.ts'
import { type Command, Misuse } from '../command.ts'
import { copyWithProgress } from '../copy-with-progress.ts'
import { readOnly } from '../read-arguments.ts'
import { withScratchFile } from '../scratch-file.ts'

const STDIN = 0

export const restoreCommand: Command = {
  name: 'restore',
  takes: 'FILE',
  details: `Fills the store that the server is configured with from FILE, which \`backup\` has written (- is
stdin), and checks by count and checksum that all is there. The store must be empty: give the server a
new DATA_DIR or another database, or put the old one away. Stop the server first. If it is broken off,
call it again.`,
  example: 'restore mapcrate-2026-10-03.db',
  async run(args) {
    const word = readOnly(args, 'FILE')
    if (word === '-') return restoreFromStdin()
    await copyWithProgress({ file: resolve(word) }, null)
  },
}

async function restoreFromStdin(): Promise<void> {
  if (isatty(STDIN)) {
    throw new Misuse('stdin is a terminal; give it a backup: restore - < mapcrate.db')
  }
  await withScratchFile(loadConfig().dataDir, async (file) => {
    await pipeline(process.stdin, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    await checkWhole(file)
    await copyWithProgress({ file }, null)
  })
}

const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100

/** A stream that was cut has no end of its own: the file says how long it has to be (SQLite's file format 1.3). */
async function checkWhole(file: string): Promise<void> {
  await using handle = await open(file)
  const header = Buffer.alloc(HEADER_BYTES)
  const { bytesRead } = await handle.read(header)
  if (bytesRead < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new Trouble('what came on stdin is no backup; nothing was changed')
  }
  // 1 stands for 65,536, which has no room in two bytes.
  const pageBytes = header.readUInt16BE(16)
  const whole = (pageBytes === 1 ? 65_536 : pageBytes) * header.readUInt32BE(28)
  const { size } = await handle.stat()
  if (size !== whole) {
    throw new Trouble(`stdin ended after ${size} of ${whole} bytes; nothing was changed`)
  }
}
