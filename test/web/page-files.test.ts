import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { languages } from '#texts/languages'
import { readGuides } from '../../scripts/guides-plugin.ts'
import { EARLY_SCRIPT } from '../../src/site/page-files.ts'
import { buildPages, builtAssets } from '../support/build-pages.ts'

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

it.each(Object.keys(languages))(
  'pages in %s load guides in that language alone, or in English (D-108)',
  async (language) => {
    const folder = join(buildPages(), language === 'en' ? '' : language, 'assets')
    const files = readdirSync(folder).filter((name) => name.endsWith('.js'))
    const code = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
    const wordsOf = async (each: string) => {
      const { 'into-the-game': guide } = await readGuides(each)
      return guide!.blocks.flatMap((block) => (block.kind === 'picture' ? [block.text] : []))
    }
    for (const each of Object.keys(languages)) {
      for (const words of await wordsOf(each)) {
        expect([each, words, code.includes(words)]).toEqual([each, words, each === language])
      }
    }
  },
)
