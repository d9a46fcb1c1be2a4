// Installs what is missing, so that `npm start` and `npm test` are each the only command one needs.
// Runs before anything is installed: plain JavaScript, any Node, no dependency.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'node_modules', '.installed-from')
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')

const installed = () => {
  try {
    return readFileSync(stamp, 'utf8')
  } catch {
    return null
  }
}

if (installed() !== wanted) {
  process.stderr.write('Installing what package-lock.json names …\n')
  const npm = process.env['npm_execpath']
  const run = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, 'ci'], { cwd: root, stdio: ['ignore', 2, 2] })
    : spawnSync('npm', ['ci'], { cwd: root, stdio: ['ignore', 2, 2], shell: true })
  if (run.status !== 0) {
    process.stderr.write('npm ci failed; see its message above.\n')
    process.exit(1)
  }
  writeFileSync(stamp, wanted)
}
