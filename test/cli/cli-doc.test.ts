import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { cliDoc } from '../../scripts/cli-doc.ts'

test('docs/cli.md is what `npm run docs` writes', async () => {
  const file = new URL('../../docs/cli.md', import.meta.url)
  expect(await readFile(file, 'utf8')).toBe(await cliDoc())
})
