import { textsIn } from '../src/site/language.ts'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { drawGuide } from '../scripts/guide-drawings.ts'
import { pagesOf } from '../src/site/pages/page-table.ts'

const root = new URL('../', import.meta.url)
const readme = readFileSync(new URL('README.md', root), 'utf8')
const shown: Readonly<Record<string, { readonly path: string; readonly title: string }>> =
  JSON.parse(readFileSync(new URL('docs/pictures/shown.json', root), 'utf8'))
const files = readdirSync(new URL('docs/pictures/', root)).filter((name) =>
  /\.(?:webp|svg)$/.test(name),
)
const guides = readdirSync(new URL('docs/', root))
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(new URL(`docs/${name}`, root), 'utf8'))
  .join('\n')

describe('the pictures of the README and of the guides', () => {
  const inReadme = [...readme.matchAll(/(?:src|srcset)="(docs\/pictures\/[^"]+)"/g)].map(
    ([, path = '']) => path,
  )
  const named = [
    ...inReadme,
    ...[...guides.matchAll(/^!\[.+\]\((pictures\/[^)]+)\)$/gm)].flatMap(([, path = '']) => [
      `docs/${path}`,
      `docs/${path.replace('-light.', '-dark.')}`,
    ]),
  ]

  it('are all there, in both themes, and none is left over', () => {
    expect(named.toSorted()).toEqual(files.map((name) => `docs/pictures/${name}`).toSorted())
    for (const path of named) expect(existsSync(new URL(path, root))).toBe(true)
    for (const name of [...Object.keys(shown), 'terminal']) {
      expect(files).toContain(`${name}-light.webp`)
      expect(files).toContain(`${name}-dark.webp`)
    }
  })

  it('are small: 150 KB each at most, and 1.5 MB together', () => {
    const sizes = files.map((name) => statSync(new URL(`docs/pictures/${name}`, root)).size)
    expect(Math.max(...sizes)).toBeLessThan(150_000)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_500_000)
  })

  it('are drawn as the script draws them, where no page shows it', () => {
    const drawn = drawGuide()
    expect(files.filter((name) => name.endsWith('.svg'))).toEqual([...drawn.keys()].toSorted())
    for (const [name, svg] of drawn) {
      expect(readFileSync(new URL(`docs/pictures/${name}`, root), 'utf8')).toBe(svg)
    }
  })

  it('have a text for those who do not see them', () => {
    const texts = [...readme.matchAll(/<img [^>]*alt="([^"]*)"/g)].map(([, text = '']) => text)
    expect(texts.length * 2).toBe(inReadme.length)
    expect(texts).not.toContain('')
  })

  it.each(Object.entries(shown))('%s shows a page of today, by its title', (_, { path, title }) => {
    const [site = '', address = ''] = path.split(' ')
    const page = pagesOf[site as 'packs' | 'pools'].find((each) => each.path === address)
    if (page === undefined) expect(address).toMatch(/^\/(?:p\/\{pack\}|t\/\{tournament\})$/)
    else {
      const of = page.head(textsIn('en')).title
      expect(title).toBe(of === '' ? 'Mapcrate' : `${of} – Mapcrate`)
    }
  })

  it('are not in the installed package', () => {
    const { files: packed } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
    expect(packed).toContain('!docs/pictures')
  })
})
