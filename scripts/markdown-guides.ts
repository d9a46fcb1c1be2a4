import { posix } from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'
import { type Guide, type GuideBlock, SAMPLE_SITE } from '../src/web/docs/guide.ts'

/** Paths that stand as code in the guides, and lead there on the site. */
const sitePaths: Readonly<Record<string, string>> = {
  '/account': '/account',
  '/docs/reference': '/docs/reference',
  '/api/v1/openapi.json': '/api/v1/openapi.json',
  // The packs site alone has these.
  '/k': `${SAMPLE_SITE}/k`,
  '/packs/index.json': `${SAMPLE_SITE}/packs/index.json`,
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)

/** What a heading reads as, without its markup. */
const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => ('tokens' in token && token.tokens ? plainText(token.tokens) : token.raw))
    .join('')
    .replaceAll('`', '')

/** `What a save changes` → `what-a-save-changes`, as code hosts write it, so that links hold in both. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/** The id that a heading names itself, as translations do: `<a id="a-collection"></a>`, and what it reads as. */
const openHeading = ({ tokens }: Tokens.Heading) => {
  const [first, second, ...rest] = tokens
  const [, id] = /^<a id="([\w-]+)">$/.exec(first?.raw ?? '') ?? []
  return id !== undefined && second?.raw === '</a>' ? { id, tokens: rest } : { id: null, tokens }
}

/** A remark for those who read the file itself. */
const isComment = ({ type, raw }: Tokens.Generic): boolean =>
  type === 'html' && raw.startsWith('<!--')

/** The picture that is all of a paragraph. */
const pictureIn = ({ type, tokens = [] }: Tokens.Generic): Tokens.Image | null =>
  type === 'paragraph' && tokens.length === 1 && tokens[0]?.type === 'image'
    ? (tokens[0] as Tokens.Image)
    : null

/** How large pictures are, in pixels, by their paths in `docs/`: `pictures/pack-light.webp`. */
type PictureSizes = ReadonlyMap<string, { readonly width: number; readonly height: number }>

type Source = { readonly tokens: readonly Token[]; readonly ids: ReadonlyMap<Token, string> }

/** A document in tokens, and the ids of its headings. */
export const readSource = (markdown: string): Source => {
  const tokens = new Marked().lexer(markdown)
  const ids = new Map<Token, string>()
  const seen = new Map<string, number>()
  for (const token of tokens) {
    if (token.type !== 'heading') continue
    const heading = openHeading(token as Tokens.Heading)
    const slug = heading.id ?? slugOf(plainText(heading.tokens))
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    ids.set(token, count === 0 ? slug : `${slug}-${count}`)
  }
  return { tokens, ids }
}

/**
 * Makes guides ready for the site: each by its name, `api` for `docs/api.md`, `ko/history` for a translation. HTML in the
 * Markdown comes out as the text that it is, comments and ids of headings aside. A picture is named by its path for the
 * light theme, and is there for the dark one, too. What leads from a translation to what is in English alone says so (D-108).
 *
 * @param inEnglish the words of such a link, with a remark in its own language.
 * @throws Error that names every link between guides that leads nowhere, and what a guide may not hold.
 */
export const compileGuides = (
  markdown: Readonly<Record<string, string>>,
  sizes: PictureSizes = new Map(),
  inEnglish = (words: string): string => words,
): Record<string, Guide> => {
  const sources = new Map(Object.entries(markdown).map(([name, text]) => [name, readSource(text)]))
  const dead: string[] = []

  /** A link to an address of the site or elsewhere, in HTML; `language`: of a document that leads to one in English. */
  const linkTo = (href: string, words: string, language = 'en'): string =>
    language === 'en'
      ? `<a href="${escapeHtml(href)}">${words}</a>`
      : `<a href="${escapeHtml(href)}" hreflang="en">${inEnglish(words)}</a>`

  /** Where a link of a document leads to on the site; `isEnglish`: to a document that is not in the language of this one. */
  const targetOf = (href: string, from: string): { href: string; isEnglish: boolean } => {
    if (href.startsWith('https://')) return { href, isEnglish: false }
    const [, file, id] = /^(?:((?:\.\.\/)?[\w-]+)\.md)?(?:#(.+))?$/.exec(href) ?? []
    const path = file === undefined ? from : posix.join(posix.dirname(from), file)
    const target = sources.get(path)
    const isThere = id === undefined || new Set(target?.ids.values()).has(id)
    if ((file ?? id) === undefined || target === undefined || !isThere) {
      dead.push(`docs/${from}.md: ${href}`)
    }
    const hash = id === undefined ? '' : `#${id}`
    // The same address in each language.
    return file === undefined
      ? { href: hash, isEnglish: false }
      : { href: `/docs/${posix.basename(path)}${hash}`, isEnglish: !path.includes('/') }
  }

  const pictureOf = (name: string, { href, text }: Tokens.Image): GuideBlock => {
    const light = posix.join(posix.dirname(name), href)
    const dark = light.replace('-light.', '-dark.')
    const [size, other] = [sizes.get(light), sizes.get(dark)]
    if (size === undefined || other === undefined || light === dark || text === '') {
      throw new Error(`docs/${name}.md: ${href} is no picture of docs/ in both themes, with a text`)
    }
    return { kind: 'picture', text, light, dark, ...size }
  }

  const compile = (name: string, { tokens, ids }: Source): Guide => {
    const language = name.includes('/') ? posix.dirname(name) : 'en'
    const marked = new Marked({
      renderer: {
        html: ({ text }) => escapeHtml(text),
        image: ({ href }) => {
          throw new Error(`docs/${name}.md: a picture is a paragraph of its own (${href})`)
        },
        link({ href, tokens: inner }) {
          const target = targetOf(href, name)
          const words = this.parser.parseInline(inner)
          return linkTo(target.href, words, target.isEnglish ? language : undefined)
        },
        codespan: ({ text }) => {
          const code = `<code>${escapeHtml(text)}</code>`
          const href = sitePaths[text]
          if (href === undefined) return code
          return linkTo(href, code, href === '/docs/reference' ? language : undefined)
        },
      },
    })
    const inline = (inner: readonly Token[]): string =>
      marked.Parser.parseInline([...inner], marked.defaults)
    const cells = (row: readonly Tokens.TableCell[]): string[] =>
      row.map((cell) => inline(cell.tokens))

    const blocks: GuideBlock[] = []
    let title = ''
    let under = ''
    for (const token of tokens as readonly Tokens.Generic[]) {
      if (token.type === 'heading') {
        const heading = token as Tokens.Heading
        const { tokens: words } = openHeading(heading)
        const text = plainText(words)
        under = text
        if (heading.depth === 1) title = text
        else if (heading.depth <= 3) {
          const level = heading.depth as 2 | 3
          const id = ids.get(heading) ?? ''
          blocks.push({ kind: 'heading', level, id, text, html: inline(words) })
        } else throw new Error(`docs/${name}.md: ${text} is a heading too deep`)
      } else if (token.type === 'code') {
        blocks.push({ kind: 'code', language: token['lang'] ?? '', text: token['text'] })
      } else if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table
        blocks.push({ kind: 'table', under, head: cells(header), rows: rows.map(cells) })
      } else if (pictureIn(token) !== null) {
        blocks.push(pictureOf(name, pictureIn(token)!))
      } else if (token.type !== 'space' && !isComment(token)) {
        blocks.push({ kind: 'text', html: marked.Parser.parse([token], marked.defaults) })
      }
    }
    return { title, language, blocks }
  }

  const guides = Object.fromEntries(
    [...sources].map(([name, source]) => [name, compile(name, source)]),
  )
  if (dead.length > 0) throw new Error(`dead links:\n${dead.join('\n')}`)
  return guides
}
