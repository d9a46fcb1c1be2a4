import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { findNodes } from '../support/package-project.ts'

const run = promisify(execFile)

// The first `npm start` builds the pages with the Node of the machine: that of the package is installed only then.
it.each(await findNodes())('the pages are built on Node %s', async (_version, node) => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-pages-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const vite = join('node_modules', 'vite', 'bin', 'vite.js')
  await run(node, [vite, 'build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn'])
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
  expect(Object.keys(manifest)).toContain('src/web/pages/pack.tsx')
})
