import * as texts from '#texts/common'
import { POOLS_OWNER } from '../../contract/page-data.ts'
import type { Visibility } from '../../contract/packs.ts'
import { withoutDirection } from '../../pool/text.ts'

/** A mod or a built-in bucket: its code, in its sheet colour. */
export const ModChip = ({ code }: { code: string }) => (
  <span class="chip" data-mod={code}>
    {code}
  </span>
)

/** Who may see a pack, to its owner, the widest last. */
export const visibilityWords: Readonly<Record<Visibility, readonly [name: string, who: string]>> = {
  private: [texts.privatePack, texts.onlyYou],
  unlisted: [texts.unlistedPack, texts.anyoneWithLink],
  public: [texts.publicPack, texts.everyoneInBrowse],
}

const marks: Readonly<Record<Visibility, readonly [name: string, who: string]>> = {
  private: [texts.privateInList, texts.onlyOwner],
  unlisted: [texts.unlistedInList, texts.anyoneWithLink],
  public: [texts.publicInList, texts.everyone],
}

type VisibilityProps = { readonly visibility: Visibility; readonly isHidden?: boolean }

/** @param isHidden a moderator has hidden it: others see it as little as what is private. */
export function VisibilityChip({ visibility, isHidden = false }: VisibilityProps) {
  const [name, who] = marks[visibility]
  return (
    <span
      class={`visibility ${isHidden ? 'private' : visibility}`}
      title={isHidden ? texts.hiddenByModerator : who}
    >
      {isHidden ? texts.hiddenAs({ visibility: name }) : name}
    </span>
  )
}

type PersonTextProps = {
  readonly text: string | undefined
  readonly within?: 'b' | 'strong' | 'h1'
  /** Where it leads, as a link around it. */
  readonly href?: string
}

/**
 * Text that a person or the platform wrote, isolated from the text around it (D-47). An element that
 * cuts its text has `dir="auto"` and `shownText` instead: its own direction decides which end is cut.
 */
export function PersonText({ text, within: Tag, href }: PersonTextProps) {
  const isolated = <bdi>{shownText(text)}</bdi>
  const inside = Tag ? <Tag>{isolated}</Tag> : isolated
  return href === undefined ? inside : <a href={href}>{inside}</a>
}

/** The description of a pack or a tournament, if it has one. */
export const Description = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <p class="pack-description" dir="auto">
      {shownText(text)}
    </p>
  )

/** The owner of a pack as pages name it: a label that the operator has chosen is a name, and the usual one is in the page's language. */
export const ownerText = (name: string): string =>
  name === POOLS_OWNER ? texts.poolsOwner : shownText(name)

/** The fifth mark in a row on a letter, and all after it: they would be drawn over the lines around (D-47). */
const MARKS_BEYOND = /(?<=[\p{Mn}\p{Me}]{4})[\p{Mn}\p{Me}]+/gu

/** The text without directional formatting, which texts stored before D-47 may hold, and without towers of marks. */
export const shownText = (text = ''): string => withoutDirection(text).replace(MARKS_BEYOND, '')
