import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { listen } from '../browser.ts'
import { pageData } from '../page-data.ts'
import { Icon } from '../parts/icons.tsx'
import { CodeBlock, ScrollBox } from './code-block.tsx'
import { DocsMenu } from './docs-menu.tsx'
import { type Guide, type GuideBlock, SAMPLE_API, SAMPLE_POOLS, SAMPLE_SITE } from './guide.ts'
import '../style/docs.css'

type GuidePageProps = { readonly path: string; readonly guide: Guide }

/** A guide with its contents at the side. */
export function GuidePage({ path, guide }: GuidePageProps): JSX.Element {
  const headings = useMemo(() => guide.blocks.filter((block) => block.kind === 'heading'), [guide])
  const ids = useMemo(() => headings.map(({ id }) => id), [headings])
  const place = useReadingPlace(ids)
  const parts = headings.map(({ id, text, level }) => ({ href: `#${id}`, text, level }))
  return (
    <div class="docs">
      <DocsMenu here={path} parts={parts} place={place === null ? null : `#${place}`} />
      <main id="main">
        <GuideView guide={guide} />
      </main>
    </div>
  )
}

/**
 * Which of these headings one is reading under. Also goes to the one that the address names: it was
 * not there yet when the browser looked for it.
 */
function useReadingPlace(ids: readonly string[]): string | null {
  const [place, setPlace] = useState<string | null>(null)
  useEffect(() => {
    const wanted = decodeURIComponent(location.hash.slice(1))
    if (ids.includes(wanted)) elementOf(wanted)?.scrollIntoView()
    let frame = 0
    const follow = (): void => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => setPlace(placeNow(ids)))
    }
    follow()
    const unlisten = listen({ scroll: follow })
    return () => {
      cancelAnimationFrame(frame)
      unlisten()
    }
  }, [ids])
  return place
}

const elementOf = (id: string): HTMLElement | null => document.getElementById(id)

/** How far below the top of the window one reads, in pixels. */
const READING_LINE = 120

/** The last of these elements that one has come to; null above the first. */
function placeNow(ids: readonly string[]): string | null {
  const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 1
  const line = isAtEnd ? innerHeight : READING_LINE
  const passed = ids.filter((id) => (elementOf(id)?.getBoundingClientRect().top ?? line) < line)
  return passed.at(-1) ?? null
}

const GuideView = ({ guide }: { readonly guide: Guide }): JSX.Element => (
  <article class="docs-article">
    <h1>{guide.title}</h1>
    {guide.blocks.map((block, at) => (
      <Block key={at} block={block} />
    ))}
  </article>
)

const samples: Readonly<Record<string, string>> = {
  sh: 'command',
  js: 'code',
  json: 'JSON',
}

function Block({ block }: { readonly block: GuideBlock }): JSX.Element {
  if (block.kind === 'heading') return <Heading {...block} />
  if (block.kind === 'table') return <GuideTable {...block} />
  if (block.kind === 'code') {
    const what = samples[block.language] ?? 'text'
    return <CodeBlock text={withAddresses(block.text)} what={what} />
  }
  return <div class="docs-text" {...guideHtml(block.html)} />
}

function Heading({ level, id, text, html }: Extract<GuideBlock, { kind: 'heading' }>): JSX.Element {
  const Tag: 'h2' | 'h3' = `h${level}`
  return (
    <div class="docs-heading">
      <Tag id={id} tabIndex={-1} {...guideHtml(html)} />
      <a href={`#${id}`} aria-label={`Link to ${text}`}>
        <Icon name="link" />
      </a>
    </div>
  )
}

type HtmlPolicy = { readonly createHTML: (html: string) => string }

/** The part of Trusted Types that is used here; TypeScript has no types for it. */
declare const trustedTypes:
  | { readonly createPolicy: (name: string, rules: HtmlPolicy) => HtmlPolicy }
  | undefined

/** What the HTML of guides is made of: no element or attribute here can run a script. */
const TAG =
  /<\/?(?:a|blockquote|br|code|del|em|hr|li|ol|p|strong|ul)(?: href="(?:https?:\/\/|[/#])[^"<>]*"| start="\d+")?>/g

/**
 * The only policy that the site's content security policy admits: the only way for a string to
 * become markup on a page. Browsers without Trusted Types apply the same check.
 */
const policy: HtmlPolicy =
  typeof trustedTypes === 'undefined'
    ? { createHTML }
    : trustedTypes.createPolicy('mapcrate', { createHTML })

/** Properties that fill an element with HTML of a guide, which is made when the pages are built. */
const guideHtml = (
  html: string,
): { readonly dangerouslySetInnerHTML: { readonly __html: string } } => ({
  dangerouslySetInnerHTML: { __html: policy.createHTML(withAddresses(html)) },
})

/** A text or HTML of a guide with the addresses of this installation, so that its samples work as they are. */
function withAddresses(text: string): string {
  const { apiUrl, poolsUrl, siteUrl } = pageData()
  return text
    .replaceAll(SAMPLE_API, `${apiUrl}/api/`)
    .replaceAll(SAMPLE_SITE, siteUrl)
    .replaceAll(SAMPLE_POOLS, poolsUrl)
}

/** A table of a guide; on a phone it scrolls by itself. */
const GuideTable = ({ under, head, rows }: Extract<GuideBlock, { kind: 'table' }>): JSX.Element => (
  <ScrollBox label={`Table: ${under}`}>
    <table class={`docs-table columns-${head.length}`}>
      {head.some((cell) => cell !== '') && (
        <thead>
          <tr>
            {head.map((cell, column) =>
              // A heading that says nothing is none.
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
            {cells.map((cell, column) => (
              <td key={column} {...guideHtml(cell)} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollBox>
)

/** Returns guide HTML as it is. Throws when it holds markup that no guide is made of. */
function createHTML(html: string): string {
  if (html.replaceAll(TAG, '').includes('<')) throw new TypeError('a guide holds foreign markup')
  return html
}
