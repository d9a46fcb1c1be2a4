import type { DraftDifference, SlotDifference } from '../contract/draft-history.ts'
import type { Difference } from '../contract/history.ts'
import { englishPlace, englishWords } from '../pool/english-differences.ts'
import { compareDrafts, type DraftContent, isOfSlot } from '../pool/draft-comparison.ts'
import type { SlotFilling } from '../pool/round-fields.ts'
import { plannedWords } from '../pool/slot-details.ts'
import { slotLabel, slotsInPoolOrder } from '../pool/slots.ts'
import { cleanLine, isolate } from '../pool/text.ts'
import { type AnnouncedRound, type Links, type News, newLinks } from './announcements.ts'

/**
 * What Discord takes of an embed, in UTF-16 code units, which are never fewer than its characters
 * (https://discord.com/developers/docs/resources/message, limits of embeds). With a footer, that is fewer than the
 * 6,000 that it takes of a message.
 */
const chatBounds = { title: 256, description: 4_096, author: 256 } as const

type ChatEmbed = {
  readonly author: { readonly name: string; readonly url?: string }
  readonly title: string
  readonly url?: string
  /** Markdown. */
  readonly description: string
  readonly image?: { readonly url: string }
  readonly footer: { readonly text: string }
}

/** One message of a chat: the body of a webhook, without what forbids mentions. */
export type ChatMessage = { readonly embeds: readonly ChatEmbed[] }

/** What an announcement is shown with. */
export type ChatFacts = {
  /** Is in each part of it, so that a reader knows a part that came twice. */
  readonly id: string
  /** Of this installation. */
  readonly siteName: string
  readonly nameOf: (beatmapId: number) => string
  /** Public addresses; null: there is none. */
  readonly tournamentUrl: string | null
  readonly packUrl: string | null
  readonly pictureUrl: string | null
}

/** The messages of an announcement, in order, each within the bounds of Discord; at least one (D-101). */
export function chatMessagesOf(news: News, facts: ChatFacts): readonly ChatMessage[] {
  const { tournament, after } = news.content
  const texts = portionsOf(linesOf(news, facts.nameOf))
  const { tournamentUrl, packUrl, pictureUrl, id, siteName } = facts
  const isReleased = after !== null
  // Of new links, the pool is as it was.
  const hasPicture = isReleased && news.kind !== 'links'
  return texts.map((description, at) => {
    const part = texts.length > 1 ? ` · ${at + 1}/${texts.length}` : ''
    const isLast = at === texts.length - 1
    const embed: ChatEmbed = {
      author: {
        name: cut(cleanLine(tournament), chatBounds.author),
        ...(tournamentUrl !== null && { url: tournamentUrl }),
      },
      title: cut(titleOf(news), chatBounds.title),
      ...(isReleased && packUrl !== null && { url: packUrl }),
      description,
      ...(hasPicture && isLast && pictureUrl !== null && { image: { url: pictureUrl } }),
      footer: { text: `${isolate(siteName)} · ${id}${part}` },
    }
    return { embeds: [embed] }
  })
}

const endings = {
  release: 'released',
  change: 'changed',
  fill: 'filled',
  withdrawal: 'withdrawn',
} as const

const titles = { trial: 'Trial message', deletion: 'Tournament deleted' } as const

function titleOf({ kind, content: { before, after } }: News): string {
  if (kind === 'trial' || kind === 'deletion') return titles[kind]
  const { name } = after ?? before ?? { name: '' }
  if (kind === 'links') return `${escapeMarkdown(name)}: ${linkNames(newLinks(before!, after!))}`
  return `${escapeMarkdown(name)} ${endings[kind]}`
}

function linesOf({ kind, content }: News, nameOf: ChatFacts['nameOf']): readonly string[] {
  const { before, after } = content
  if (kind === 'trial') return ['Releases, changes and withdrawals of rounds are announced here.']
  if (kind === 'deletion') {
    const names = (content.rounds ?? []).map((name) => `**${escapeMarkdown(name)}**`)
    return ['These rounds are no longer public:', ...names]
  }
  if (after === null) return ['The round is no longer public.']
  if (kind === 'links') return linkLines(newLinks(before!, after))
  const changes =
    before === null ? after && slotLines(after, nameOf) : changeLines(before, after, nameOf)
  return [...(before === null ? factLines(after) : []), ...changes, ...linkLines(after)]
}

/** `Best of 11 · 2 bans · 19 slots`. */
function factLines({ bestOf, bans, slots }: AnnouncedRound): readonly string[] {
  const count = (number: number, one: string): string =>
    `${number} ${one}${number === 1 ? '' : 's'}`
  const facts = [
    ...(bestOf === undefined ? [] : [`Best of ${bestOf}`]),
    ...(bans === undefined ? [] : [count(bans, 'ban')]),
    count(slots.length, 'slot'),
  ]
  return [facts.join(' · ')]
}

const slotLines = (
  { slots, buckets }: AnnouncedRound,
  nameOf: ChatFacts['nameOf'],
): readonly string[] =>
  slotsInPoolOrder({ buckets: buckets ?? null, slots }).map(
    (slot) => `${placeMarkdown(slotLabel(slot))} ${fillingMarkdown(slot, nameOf)}`,
  )

/** A line for each difference; of the links alone, there is none. */
function changeLines(
  before: AnnouncedRound,
  after: AnnouncedRound,
  nameOf: ChatFacts['nameOf'],
): readonly string[] {
  const facts = (['bestOf', 'bans'] as const).flatMap((fact) => {
    const [from, to] = [before[fact], after[fact]]
    return from === to ? [] : [`${factLabels[fact]}: ${from ?? 'none'} → ${to ?? 'none'}`]
  })
  const changes = compareDrafts(draftOf(before), draftOf(after)).map((each) =>
    isOfSlot(each) ? slotChange(each, nameOf) : poolChange(each),
  )
  return [...facts, ...changes]
}

const factLabels = { bestOf: 'Best of', bans: 'Bans' } as const

/** Without what is compared apart. */
const draftOf = ({ name, slots, buckets }: AnnouncedRound): DraftContent => ({
  name,
  slots,
  buckets: buckets ?? null,
})

function slotChange(difference: SlotDifference, nameOf: ChatFacts['nameOf']): string {
  const place = placeMarkdown(difference.at)
  const { before, after } = difference
  const [from, to] = [before, after].map((side) => side && fillingMarkdown(side, nameOf))
  if (difference.kind === 'moved') {
    return `${to ?? from}: ${placeMarkdown(difference.from)} → ${place}`
  }
  if (to === undefined) return `${place} removed: ${from}`
  if (from === undefined) return `${place} added: ${to}`
  return from === to ? `${place} ${to}: details changed` : `${place} ${from} → ${to}`
}

/** Another name, or another bucket. */
function poolChange(difference: DraftDifference): string {
  const { what, from, to } = englishWords(difference as Difference)
  const [old, now] = [from, to].map((text) => (text === null ? 'none' : escapeMarkdown(text)))
  return `${escapeMarkdown(what)}: ${old} → ${now}`
}

/** Of one or both of them. */
const linkNames = ({ mapPackUrl, showcaseUrl }: Links): string => {
  if (showcaseUrl === undefined) return 'map pack'
  return mapPackUrl === undefined ? 'showcase' : 'map pack and showcase'
}

function linkLines({ mapPackUrl, showcaseUrl }: Links): readonly string[] {
  const links = [
    ...(mapPackUrl === undefined ? [] : [`[Map pack](${linkMarkdown(mapPackUrl)})`]),
    ...(showcaseUrl === undefined ? [] : [`[Showcase](${linkMarkdown(showcaseUrl)})`]),
  ]
  return links.length === 0 ? [] : [links.join(' · ')]
}

const placeMarkdown = (label: string): string => `**${escapeMarkdown(englishPlace(label))}**`

function fillingMarkdown(filling: SlotFilling, nameOf: ChatFacts['nameOf']): string {
  const { beatmapId } = filling
  if (beatmapId !== undefined) return nameMarkdown(nameOf(beatmapId))
  return `*${nameMarkdown(plannedWords(filling) || 'to be announced')}*`
}

/** Of a beatmap, or what is planned. */
const LONGEST_NAME = 120

const nameMarkdown = (name: string): string => escapeMarkdown(cut(cleanLine(name), LONGEST_NAME))

/**
 * A text so that Discord shows it as it is: nothing in it is bold, a link, a mention, an emoji or a list, nor is what
 * surrounds it turned round by letters that are written to the left (D-47). A backslash before a punctuation mark is not shown
 * (https://support.discord.com, Markdown Text 101).
 */
export function escapeMarkdown(text: string): string {
  return isolate(cleanLine(text)).replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)
}

/** What would end the link in its place is written as the address allows, too. */
const linkMarkdown = (url: string): string =>
  url.replaceAll(/[()<>\\]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

/** Lines together, each portion within a description: a line is never divided. */
function portionsOf(lines: readonly string[]): readonly string[] {
  const portions: string[] = []
  let current = ''
  for (const line of lines) {
    const longer = current === '' ? line : `${current}\n${line}`
    if (longer.length <= chatBounds.description) {
      current = longer
      continue
    }
    portions.push(current)
    current = line
  }
  return [...portions, current]
}

/** At most so many code units, whole characters, with an ellipsis where something is left out. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const start = text.slice(0, most - 1)
  return `${start.isWellFormed() ? start : start.slice(0, -1)}…`
}
