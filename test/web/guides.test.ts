import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { languages } from '#texts/languages'
import { readGuides } from '../../scripts/guides-plugin.ts'
import { compileGuides } from '../../scripts/markdown-guides.ts'
import type { Guide } from '../../src/web/docs/guide.ts'

const docs = new URL('../../docs/', import.meta.url)

const compile = (markdown: string): Guide => compileGuides({ here: markdown })['here']!
const htmlOf = ({ blocks }: Guide): string =>
  blocks
    .flatMap((block) => {
      if (block.kind === 'table') return [...block.head, ...block.rows.flat()]
      return 'html' in block ? [block.html] : []
    })
    .join('\n')
const idsOf = ({ blocks }: Guide): string[] =>
  blocks.flatMap((block) => (block.kind === 'heading' ? [block.id] : []))

describe('Markdown becomes what the site shows', () => {
  it('in blocks: text, headings, code and tables', () => {
    const guide = compile(
      '# A guide\n\nSome *text*.\n\n## Part `one`\n\n```sh\necho "<b>"\n```\n\n| a | b |\n| - | - |\n| `1` | **2** |\n',
    )
    expect(guide).toEqual({
      title: 'A guide',
      language: 'en',
      blocks: [
        { kind: 'text', html: '<p>Some <em>text</em>.</p>\n' },
        {
          kind: 'heading',
          level: 2,
          id: 'part-one',
          text: 'Part one',
          html: 'Part <code>one</code>',
        },
        { kind: 'code', language: 'sh', text: 'echo "<b>"' },
        {
          kind: 'table',
          under: 'Part one',
          head: ['a', 'b'],
          rows: [['<code>1</code>', '<strong>2</strong>']],
        },
      ],
    })
  })

  it.each([
    '<script>alert(1)</script>',
    'text <img src=x onerror=alert(1)> text',
    '## <b>bold</b>',
    '| <i>a</i> |\n| - |\n| <img src=x> |',
    '<details>\n<summary>x</summary>\n</details>',
    '`<b>`',
  ])('never passes HTML on: %s', (markdown) => {
    const html = htmlOf(compile(markdown))
    expect(html).toContain('&lt;')
    expect(html.match(/<(?!\/?(?:p|code)>)/g)).toBeNull()
  })

  it('leaves out remarks for those who read the file itself', () => {
    expect(compile('Text.\n\n<!-- a remark <b> -->\n').blocks).toHaveLength(1)
  })

  it('takes pictures of docs/ in both themes, with their sizes, and none from elsewhere', () => {
    const size = { width: 2, height: 1 }
    const sizes = new Map(['x-light.svg', 'x-dark.svg', 'y-light.svg'].map((name) => [name, size]))
    const compilePicture = (markdown: string) => compileGuides({ here: markdown }, sizes)['here']
    expect(compilePicture('![A cat](x-light.svg)')?.blocks).toEqual([
      { kind: 'picture', text: 'A cat', light: 'x-light.svg', dark: 'x-dark.svg', ...size },
    ])
    for (const other of [
      '![x](https://elsewhere.test/x.png)',
      '![](x-light.svg)',
      '![y](y-light.svg)',
    ])
      expect(() => compilePicture(other)).toThrow('is no picture of docs/ in both themes')
    expect(() => compilePicture('See ![A cat](x-light.svg)')).toThrow('a paragraph of its own')
  })

  it('gives headings anchors as code hosts do, each its own', () => {
    const guide = compile("## What's new?\n\n## Text\n\n### Text\n\n## 春 の 大会\n\n## `a_b`-c")
    expect(idsOf(guide)).toEqual(['whats-new', 'text', 'text-1', '春-の-大会', 'a_b-c'])
  })

  it('gives a heading the id that it names itself, as translations do', () => {
    const guide = compile('# 가이드\n\n## <a id="part-one"></a>첫 `부분`\n\n[here](#part-one)')
    expect(guide.title).toBe('가이드')
    expect(guide.blocks[0]).toEqual({
      kind: 'heading',
      level: 2,
      id: 'part-one',
      text: '첫 부분',
      html: '첫 <code>부분</code>',
    })
    for (const other of ['<a id="x"> </a>', '<a id="x" onclick="y"></a>', '<b id="x"></b>']) {
      expect(htmlOf(compile(`## ${other}Part`))).toContain('&lt;')
    }
  })

  it('leads from a translation to others by the addresses that guides have in each language', () => {
    const size = { width: 2, height: 1 }
    const sizes = new Map(['light', 'dark'].map((theme) => [`pictures/x-${theme}.svg`, size]))
    const sources = {
      api: '## Top',
      history: '## Part',
      'ko/history':
        '[a](../api.md#top), [b](history.md#part), [c](../history.md)\n\n## <a id="part"></a>부분\n\n![그림](../pictures/x-light.svg)',
    }
    const guide = compileGuides(sources, sizes)['ko/history']!
    expect(guide.language).toBe('ko')
    const links = [...htmlOf(guide).matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
    expect(links).toEqual(['/docs/api#top', '/docs/history#part', '/docs/history'])
    expect(guide.blocks.at(-1)).toMatchObject({ light: 'pictures/x-light.svg', text: '그림' })
    for (const dead of ['[x](api.md)', '[x](../api.md#missing)', '[x](../../api.md)']) {
      const broken = { ...sources, 'ko/history': dead }
      expect(() => compileGuides(broken)).toThrow(/^dead links:\ndocs\/ko\/history\.md: /)
    }
  })

  it('leads from guide to guide on the site, as the files do in the repository', () => {
    const guides = compileGuides({
      api: '[keys](pack-keys.md), [a part](pack-keys.md#part), [here](#top)\n\n## Top',
      'pack-keys': '## Part',
    })
    const links = [...htmlOf(guides['api']!).matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
    expect(links).toEqual(['/docs/pack-keys', '/docs/pack-keys#part', '#top'])
  })

  it('leads to the pages of the site that are named as code', () => {
    expect(htmlOf(compile('open `/account`'))).toBe(
      '<p>open <a href="/account"><code>/account</code></a></p>\n',
    )
  })

  it.each([
    '[x](missing.md)',
    '[x](#missing)',
    '[x](here.md#missing)',
    '[x](../README.md)',
    '[x](/packs)',
    '[x](javascript:alert(1))',
    '[x](http://plain.test)',
  ])('refuses a link that leads nowhere: %s', (markdown) => {
    expect(() => compile(markdown)).toThrow(/^dead links:\ndocs\/here\.md: /)
  })
})

describe('the guides of the repository', () => {
  it.each(Object.keys(languages))(
    'are whole: titles, anchors of their own, no dead link, in %s',
    async (language) => {
      const guides = await readGuides(language)
      for (const guide of Object.values(guides)) {
        expect(guide.title).not.toBe('')
        expect(new Set(idsOf(guide)).size).toBe(idsOf(guide).length)
      }
    },
  )

  it('link, like every other document, only to files that are there', () => {
    const files = globSync('**/*.md', { cwd: docs })
    const dead = files.flatMap((file) =>
      [...readFileSync(new URL(file, docs), 'utf8').matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !existsSync(new URL(target, new URL(file, docs))))
        .map((target) => `${file}: ${target}`),
    )
    expect(files.length).toBeGreaterThan(15)
    expect(dead).toEqual([])
  })
})
