import * as texts from '#texts/docs'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { listen } from '../browser.ts'
import { textOfHash } from '../fragment.ts'
import { inEnglish, inPageLanguage, pageData } from '../page-data.ts'
import { Icon } from '../parts/icons.tsx'
import { trusted } from '../trusted-types.ts'
import { CodeBlock, type InLanguage, ScrollBox } from './code-block.tsx'
import { DocsMenu } from './docs-menu.tsx'
import { type Guide, type GuideBlock, SAMPLE_API, SAMPLE_POOLS, SAMPLE_SITE } from './guide.ts'
import '../style/docs.css'

export function GuidePage({ path, guide }: { path: string; guide: Guide }) {
  const parts = useMemo(() => {
    const headings = guide.blocks.filter((block) => block.kind === 'heading')
    return headings.map(({ id, text, level }) => ({ href: `#${id}`, text, level }))
  }, [guide])
  const [own, names] = guide.language === 'en' ? [inEnglish, inPageLanguage] : []
  return (
    <div class="docs">
      <DocsMenu here={path} parts={parts} place={useReadingPlace(parts)} />
      <main id="main" {...own}>
        <article class="docs-article">
          <h1>{guide.title}</h1>
          {guide.blocks.map((block, at) => (
            <Block key={at} {...block} {...{ own, names }} />
          ))}
        </article>
      </main>
    </div>
  )
}

type Part = { readonly href: string }

/** The `href` of the part that is being read. Scrolls to that of the address, which was not there yet. */
function useReadingPlace(parts: readonly Part[]): string | null {
  const [place, setPlace] = useState<string | null>(null)
  useEffect(() => {
    const hash = `#${textOfHash(location.hash)}`
    headingOf(parts.find(({ href }) => href === hash))?.scrollIntoView()
    const follow = (): void => setPlace(placeNow(parts))
    follow()
    return listen({ scroll: follow })
  }, [parts])
  return place
}

const headingOf = (part: Part | undefined): HTMLElement | null =>
  document.getElementById(part?.href.slice(1) ?? '')

/** The distance of the line that is being read from the top of the window, in pixels. */
const READING_LINE = 120

/** The last part that begins above the line that is being read; null above the first. */
function placeNow(parts: readonly Part[]): string | null {
  const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 1
  const line = isAtEnd ? innerHeight : READING_LINE
  const isPassed = (part: Part): boolean =>
    (headingOf(part)?.getBoundingClientRect().top ?? line) < line
  return parts.findLast(isPassed)?.href ?? null
}

const samples: Readonly<Record<string, string>> = { sh: 'command', js: 'code', json: 'json' }

/** The language of a guide, and that of the names that the page gives to parts of it, where they differ from the page's. */
type Languages = { readonly own: InLanguage | undefined; readonly names: InLanguage | undefined }

function Block({ own, names, ...block }: GuideBlock & Languages) {
  if (block.kind === 'heading') return <Heading {...block} {...names} />
  if (block.kind === 'table') return <GuideTable {...block} {...{ own, names }} />
  if (block.kind === 'picture') return <Picture {...block} />
  if (block.kind === 'text') return <div class="docs-text" {...guideHtml(block.html)} />
  const kind = samples[block.language] ?? 'text'
  return (
    <CodeBlock
      text={withAddresses(block.text)}
      names={{
        scrollable: texts.scrollable({ kind }),
        copy: texts.copy({ kind }),
        copied: texts.copied({ kind }),
      }}
      {...(names && { inLanguage: names })}
    />
  )
}

/** A picture in both themes, of which the style sheet shows that of the page; the other one is not loaded. */
const Picture = ({
  text,
  light,
  dark,
  width,
  height,
}: Extract<GuideBlock, { kind: 'picture' }>) => (
  <figure class="docs-picture">
    <img class="in-light" src={light} alt={text} loading="lazy" {...{ width, height }} />
    <img class="in-dark" src={dark} alt={text} loading="lazy" {...{ width, height }} />
  </figure>
)

type HeadingProps = Extract<GuideBlock, { kind: 'heading' }> & InLanguage

function Heading({ level, id, text, html, lang }: HeadingProps) {
  const Tag: 'h2' | 'h3' = `h${level}`
  return (
    <div class="docs-heading">
      <Tag id={id} tabIndex={-1} {...guideHtml(html)} />
      <a href={`#${id}`} aria-label={texts.linkTo({ heading: text })} lang={lang}>
        <Icon name="link" />
      </a>
    </div>
  )
}

/** A table of a guide; it scrolls by itself on a phone. */
const GuideTable = ({
  under,
  head,
  rows,
  own,
  names,
}: Extract<GuideBlock, { kind: 'table' }> & Languages) => (
  <ScrollBox label={texts.table({ heading: under })} {...(names && { inLanguage: names })}>
    <table class={`docs-table columns-${head.length}`} {...own}>
      {head.some((cell) => cell !== '') && (
        <thead>
          <tr>
            {head.map((cell, column) =>
              cell === '' ? (
                <td key={column} />
              ) : (
                <th key={column} scope="col" {...guideHtml(cell)} />
              ),
            )}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, column) =>
              column === 0 ? (
                <th key={column} scope="row" {...guideHtml(cell)} />
              ) : (
                <td key={column} {...guideHtml(cell)} />
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollBox>
)

/** The properties of an element whose content is HTML of a guide. */
const guideHtml = (html: string) => ({
  dangerouslySetInnerHTML: { __html: trusted.createHTML(withAddresses(html)) },
})

/** Puts the addresses of this installation into a text or HTML, so that its samples work as they are. */
function withAddresses(text: string): string {
  const { apiUrl, poolsUrl, siteUrl } = pageData()
  return text
    .replaceAll(SAMPLE_API, `${apiUrl}/api/`)
    .replaceAll(SAMPLE_SITE, siteUrl)
    .replaceAll(SAMPLE_POOLS, poolsUrl)
}
