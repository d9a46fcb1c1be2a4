import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openSqliteFile, SQLITE_MIGRATIONS } from '../../src/adapters/storage/sqlite/file.ts'

let template: Promise<Buffer> | null = null

/**
 * Puts a store there that has its tables and nothing in them, if there is none: opening it takes a fifth
 * of what opening a file that is missing takes.
 */
export const putNewStore = async (file: string): Promise<void> => {
  template ??= makeTemplate()
  const bytes = await template
  if (existsSync(file)) return
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, bytes)
}

async function makeTemplate(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'mapcrate-template-'))
  try {
    const path = join(folder, 'mapcrate.db')
    const { reader, writer } = await openSqliteFile(path, SQLITE_MIGRATIONS, 30_000)
    for (const connection of [reader, writer]) connection.close()
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
