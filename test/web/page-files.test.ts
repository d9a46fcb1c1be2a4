import { expect, it } from 'vitest'
import { EARLY_SCRIPT } from '../../src/site/page-files.ts'
import { builtAssets } from '../support/build-pages.ts'

it('a page is there after 15 files at most', async () => {
  const { entries } = await builtAssets()
  const pages = [...(entries ?? [])].filter(([name]) => name !== EARLY_SCRIPT)
  expect(pages.map(([name]) => name)).toContain('workspace')
  const counts = pages.map(([name, { preloads, styles }]) => ({
    name,
    files: 1 + preloads.length + styles.length,
  }))
  expect(counts.filter(({ files }) => files > 15)).toEqual([])
})

it('what gets the maps of a pool is loaded with the press of its button', async () => {
  const { entries, find } = await builtAssets()
  for (const name of ['pack', 'tournament', 'open-key']) {
    const { script, preloads } = entries!.get(name)!
    let code = ''
    for (const file of [script!, ...preloads]) {
      code += String((await find(file, 'identity'))!.bytes)
    }
    expect(code, name).toContain('Get the maps')
    for (const later of ['XMLHttpRequest', 'showSaveFilePicker', 'getDirectory']) {
      expect(code, name).not.toContain(later)
    }
  }
})
