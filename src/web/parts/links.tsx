import type { ComponentChildren } from 'preact'
import { isHttpsLink } from '../../contract/bounds.ts'
import { Icon } from './icons.tsx'
import { shownText } from './labels.tsx'

type OutsideLinkProps = {
  readonly href: string
  /** What it leads to; the name of its host by default. */
  readonly children?: ComponentChildren
}

/** A link that a person has entered, in a tab of its own; as plain text where it is none that a page may have. */
export const OutsideLink = ({ href, children }: OutsideLinkProps) =>
  isHttpsLink(href) ? (
    <a class="outside-link" href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children ?? new URL(href).hostname} <Icon name="external" />
    </a>
  ) : (
    <bdi>{shownText(href)}</bdi>
  )

/** A text with its https links, which are its only markup. */
export const LinkedText = ({ text }: { readonly text: string }) =>
  partsOf(shownText(text)).map((part, at) =>
    isHttpsLink(part) ? (
      <a key={at} dir="ltr" href={part} target="_blank" rel="noopener noreferrer nofollow">
        {part}
      </a>
    ) : (
      part
    ),
  )

/** The text in parts, links apart from what is around them: a full stop or a closing bracket at the end is none of theirs. */
export function partsOf(text: string): string[] {
  return text.split(/(https:\/\/[!-~]+)/).flatMap((part) => {
    if (!part.startsWith('https://')) return part === '' ? [] : [part]
    const link = withoutEnd(part)
    return [link, part.slice(link.length)].filter((each) => each !== '')
  })
}

function withoutEnd(link: string): string {
  const last = link.at(-1) ?? ''
  const opening = { ')': '(', ']': '[', '}': '{', '>': '<' }[last]
  const isUnopened = opening !== undefined && link.split(opening).length < link.split(last).length
  return isUnopened || /[.,:;!?'"*]/.test(last) ? withoutEnd(link.slice(0, -1)) : link
}
