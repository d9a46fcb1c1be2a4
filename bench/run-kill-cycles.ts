// `npm run kill-cycles [COUNT]`: kills the server under writes and counts what was lost.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runKillCycles } from './kill-cycles.ts'

const cycles = Number(process.argv[2] ?? 200)
const folder = mkdtempSync(join(tmpdir(), 'mapcrate-kill-'))
process.exitCode = (await runKillCycles(folder, cycles)) ? 0 : 1
