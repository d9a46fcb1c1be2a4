import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { operatorDoc } from '../../scripts/operator-doc.ts'

test('docs/operator.md is what `npm run docs` writes', async () => {
  const file = new URL('../../docs/operator.md', import.meta.url)
  expect(await readFile(file, 'utf8')).toBe(await operatorDoc())
})
