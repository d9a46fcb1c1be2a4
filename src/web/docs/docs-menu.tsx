import * as texts from '#texts/docs'
import { language } from '#texts/language'
import { translated } from 'guide:translated'
import { useEffect, useRef } from 'preact/hooks'
import { ByWidth } from '../parts/by-width.tsx'

const pages = [
  ['/docs', texts.overview],
  ['/docs/into-the-game', texts.intoTheGame],
  ['/docs/api', texts.api],
  ['/docs/client', texts.client],
  ['/docs/cli', texts.cli],
  ['/docs/tournaments', texts.tournaments],
  ['/docs/history', texts.history],
  ['/docs/formats', texts.formats],
  ['/docs/format-table', texts.formatTable],
  ['/docs/pack-keys', texts.packKeys],
  ['/docs/reference', texts.reference],
] as const

const isTranslated = (path: string): boolean =>
  path === '/docs' ||
  (path !== '/docs/reference' && translated.includes(path.slice('/docs/'.length)))

/** `language`: of pages that are in another one than this. */
type DocsPage = { readonly path: string; readonly label: string; readonly language?: string }

export const docsPages: readonly DocsPage[] = pages.map(([path, label]) =>
  language === 'en' || isTranslated(path)
    ? { path, label }
    : { path, label: texts.inEnglish({ guide: label }), language: 'en' },
)

type DocsMenuProps = {
  /** The path of the page. */
  readonly here: string
  readonly parts?: readonly DocsPart[] | undefined
  /** The `href` of the part that is being read. */
  readonly place?: string | null
}

/** A part of a page: `level` of its heading; `tag` is shown before the text: `GET`. */
type DocsPart = { href: string; text: string; level?: 2 | 3; tag?: string }

/** The pages of the docs, and the parts of this one: at the side, or folded up on a phone. */
export const DocsMenu = (props: DocsMenuProps) => (
  <nav class="docs-menu" aria-label={texts.menu}>
    <ByWidth narrow={<FoldedPages {...props} />} wide={<Pages {...props} />} />
  </nav>
)

function FoldedPages(props: DocsMenuProps) {
  const folded = useRef<HTMLDetailsElement>(null)
  const page = docsPages.find(({ path }) => path === props.here)
  const part = props.parts?.find(({ href }) => href === props.place)
  const fold = ({ target }: MouseEvent): void => {
    if ((target as Element).closest('a')) folded.current?.removeAttribute('open')
  }
  return (
    <details ref={folded}>
      <summary>
        <b>{page?.label}</b>
        {part && <span lang={page?.language}>{part.text}</span>}
      </summary>
      <div onClick={fold}>
        <Pages {...props} />
      </div>
    </details>
  )
}

const Pages = ({ here, parts = [], place }: DocsMenuProps) => (
  <ul class="docs-pages">
    {docsPages.map(({ path, label, language: other }) => (
      <li key={path}>
        <a href={path} hreflang={other} aria-current={path === here ? 'page' : undefined}>
          {label}
        </a>
        {path === here && parts.length > 0 && (
          <ul lang={other}>
            {parts.map((part) => (
              <Part key={part.href} {...part} isHere={part.href === place} />
            ))}
          </ul>
        )}
      </li>
    ))}
  </ul>
)

function Part({ href, text, level = 2, tag, isHere }: DocsPart & { isHere: boolean }) {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isHere) link.current?.scrollIntoView({ block: 'nearest' })
  }, [isHere])
  return (
    <li class={`docs-part level-${level}`}>
      <a ref={link} href={href} aria-current={isHere ? 'location' : undefined}>
        {tag && <span class={`method ${tag.toLowerCase()}`}>{tag}</span>}
        {text}
      </a>
    </li>
  )
}
