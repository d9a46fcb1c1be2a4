import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { NARROW, useMedia } from '../browser.ts'

/** A place within a page of the docs. */
export type DocsPart = {
  readonly href: string
  readonly text: string
  readonly level: 2 | 3
  /** Shown in front of it: `GET`. */
  readonly tag?: string
}

type Props = {
  /** The page's path. */
  readonly here: string
  readonly parts: readonly DocsPart[]
  /** The `href` of the part that one is reading. */
  readonly place: string | null
}

/** Where one is in the docs, and what else there is: at the side, or folded up on a phone. */
export function DocsMenu(props: Props): JSX.Element {
  const isNarrow = useMedia(NARROW)
  const folded = useRef<HTMLDetailsElement>(null)
  const label = docsPages.find(([path]) => path === props.here)?.[1]
  const part = props.parts.find(({ href }) => href === props.place)
  if (!isNarrow) {
    return (
      <nav class="docs-menu" aria-label="Docs">
        <Pages {...props} />
      </nav>
    )
  }
  const fold = (event: MouseEvent): void => {
    if (event.target instanceof Element && event.target.closest('a')) {
      folded.current?.removeAttribute('open')
    }
  }
  return (
    <nav class="docs-menu" aria-label="Docs">
      <details ref={folded}>
        <summary>
          <b>{label}</b>
          {part && <span>{part.text}</span>}
        </summary>
        <div onClick={fold}>
          <Pages {...props} />
        </div>
      </details>
    </nav>
  )
}

/** The pages of the docs: address and name. */
export const docsPages = [
  ['/docs', 'Overview'],
  ['/docs/api', 'API guide'],
  ['/docs/client', 'JavaScript client'],
  ['/docs/cli', 'Command line'],
  ['/docs/formats', 'Sheets and files'],
  ['/docs/format-table', 'Formats compared'],
  ['/docs/pack-keys', 'Pack keys'],
  ['/docs/reference', 'API reference'],
] as const

const Pages = ({ here, parts, place }: Props): JSX.Element => (
  <ul class="docs-pages">
    {docsPages.map(([path, label]) => (
      <li key={path}>
        <a href={path} aria-current={path === here ? 'page' : undefined}>
          {label}
        </a>
        {path === here && parts.length > 0 && (
          <ul>
            {parts.map((part) => (
              <Part key={part.href} {...part} isHere={part.href === place} />
            ))}
          </ul>
        )}
      </li>
    ))}
  </ul>
)

function Part({ href, text, level, tag, isHere }: DocsPart & { readonly isHere: boolean }) {
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
