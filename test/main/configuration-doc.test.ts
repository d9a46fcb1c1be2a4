import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { configurationDoc } from '../../scripts/configuration-doc.ts'
import { type Variable, variables } from '../../src/main/variables.ts'

test('docs/configuration.md is what `npm run docs` writes', async () => {
  const file = new URL('../../docs/configuration.md', import.meta.url)
  expect(await readFile(file, 'utf8')).toBe(configurationDoc())
})

test('every variable stands in it with its default', () => {
  for (const [name, { fallback }] of Object.entries<Variable<unknown>>(variables)) {
    const row = configurationDoc()
      .split('\n')
      .find((line) => line.startsWith(`| \`${name}\``))
    expect(row, name).toContain(fallback ?? `| \`${name}\``)
  }
})
