import type { BeatmapDetails } from '../contract/beatmaps.ts'
import type { RoundSlot } from '../contract/rounds.ts'
import { findTargets, noTarget } from '../pool/beatmap-links.ts'
import { postedWords } from '../pool/slot-details.ts'
import { foldCode, slotLabel, slotsInPoolOrder } from '../pool/slots.ts'
import { cleanLine } from '../pool/text.ts'
import { rulesetNames } from './bracket/write-bracket.ts'
import { beatmapLink } from './lists.ts'
import { linksOf, plannedSlots, type RoundPool } from './sheet.ts'

/** As articles of the osu! wiki name buckets: mods by their own names, and the usual ones of osu!mania. */
const bucketNames: Readonly<Record<string, string>> = {
  NM: 'No Mod',
  HD: 'Hidden',
  HR: 'Hard Rock',
  DT: 'Double Time',
  FM: 'Free Mod',
  TB: 'Tiebreaker',
  EZ: 'Easy',
  HT: 'Half Time',
  FL: 'Flashlight',
  RC: 'Rice',
  LN: 'Long Note',
  HB: 'Hybrid',
  EX: 'Extreme',
  MM: 'Mixed Mod',
}

/**
 * The mappools as articles of the osu! wiki on tournaments have them: a heading for each round, the newest first, below
 * one for all of them if there are several; a list of its buckets, and in each a numbered list of its beatmaps, linked,
 * those of tiebreakers in bold. Where a bucket's slots are not numbered from 1 on without a gap, they are named instead.
 * Texts of others cannot make markup.
 */
export function writeWiki(rounds: readonly RoundPool[]): string {
  const head = rounds.length === 1 ? [] : ['## Mappools\n']
  return [...head, ...rounds.toReversed().map(wikiRound)].join('\n')
}

function wikiRound(round: RoundPool): string {
  const buckets = bucketsOf(round).map(({ code, slots }) => {
    const isCounted = slots.every(({ index }, at) => index === at + 1)
    const items = slots.map((slot) => {
      const { label, link } = wordsOf(slot)
      const words = escapeMarkdown(label).replace(isSong(slot) ? separator : /$^/, '\\')
      const plain = link === null ? words : `[${words}](${markdownAddress(link)})`
      const linked = code === 'TB' ? `**${plain}**` : plain
      return isCounted ? `${slot.index}. ${linked}` : `- ${slotLabel(slot)}: ${linked}`
    })
    const indent = code === null ? '' : '  '
    const lines = items.map((item) => `${indent}${item}\n`).join('')
    return code === null ? `${lines}\n` : `- ${bucketName(code)}\n${lines}`
  })
  return `### ${escapeMarkdown(round.name)}\n\n${wikiLinks(round)}${buckets.join('')}`
}

/** The map pack in a line of its own before the showcase, as articles have them. */
function wikiLinks(round: RoundPool): string {
  const { mapPackUrl, showcaseUrl } = linksOf(round)
  const lines = [
    ...(mapPackUrl ? [`**[Download the mappack here](${markdownAddress(mapPackUrl)})**`] : []),
    ...(showcaseUrl ? [`[Watch the showcase VOD here](${markdownAddress(showcaseUrl)})`] : []),
  ]
  return lines.length === 0 ? '' : `${lines.join('\\\n')}\n\n`
}

/**
 * The mappools for a post in the game's forum: a heading for each round, and a list of the beatmaps of each
 * bucket, linked and with their slots. Texts of others cannot make markup.
 */
export function writeBbcode(rounds: readonly RoundPool[]): string {
  return rounds.map(bbcodeRound).join('\n')
}

function bbcodeRound(round: RoundPool): string {
  const buckets = bucketsOf(round).map(({ code, slots }) => {
    const items = slots.map((slot) => {
      const { label, link } = wordsOf(slot)
      const words = escapeBbcode(label).replace(isSong(slot) ? firstSign : /$^/, '\u200b')
      return `[*]${slotLabel(slot)}: ${link === null ? words : `[url=${postAddress(link)}]${words}[/url]`}\n`
    })
    const head = code === null ? '' : `[b]${bucketName(code)}[/b]\n`
    return `${head}[list]\n${items.join('')}[/list]\n`
  })
  const { mapPackUrl, showcaseUrl } = linksOf(round)
  const links = [
    ...(mapPackUrl ? [`[url=${postAddress(mapPackUrl)}]Download the mappack here[/url]\n`] : []),
    ...(showcaseUrl ? [`[url=${postAddress(showcaseUrl)}]View the showcase here[/url]\n`] : []),
  ]
  return `[heading]${escapeBbcode(round.name)}[/heading]\n${links.join('')}${buckets.join('')}`
}

type PostedSlot = RoundSlot & { readonly known?: BeatmapDetails | undefined }

/** The buckets that have slots, in pool order, with their slots. */
function bucketsOf(round: RoundPool) {
  const { pool, details } = round
  const filled = pool.slots.map((slot, at): PostedSlot => {
    return { ...slot, known: details.get(at)?.details }
  })
  const inOrder = slotsInPoolOrder({ ...pool, slots: [...filled, ...plannedSlots(round)] })
  return [...new Set(inOrder.map(({ mod }) => mod))].map((code) => ({
    code,
    slots: inOrder.filter(({ mod }) => mod === code),
  }))
}

function bucketName(code: string): string {
  return bucketNames[foldCode(code)] ?? code
}

/** A beatmap's name and link; its id, where nothing else is known. Of a slot without one, what is planned. */
function wordsOf(slot: PostedSlot): { label: string; link: string | null } {
  const { beatmapId, known } = slot
  if (beatmapId === undefined) return { label: postedWords(slot) || 'TBA', link: slot.link ?? null }
  if (known === undefined) {
    return { label: `Beatmap ${beatmapId}`, link: beatmapLink(beatmapId) }
  }
  const { setId, ruleset, artist, title, mapper, difficulty } = known
  const set = `https://osu.ppy.sh/beatmapsets/${setId}#${rulesetNames[ruleset]}/${beatmapId}`
  return {
    label: `${artist} - ${title} (${mapper}) [${difficulty}]`,
    link: setId > 0 ? set : beatmapLink(beatmapId),
  }
}

const isSong = ({ beatmapId, details }: PostedSlot): boolean =>
  beatmapId === undefined && details !== undefined

// A sign that a song begins with would be read as one between it and its slot.
const firstSign = /^(?=[\p{P}\p{S}])/u
const separator = /^(?=[=:|,;.-])/

/** An address for a link of Markdown: signs that could end the link are escaped, but for brackets that are closed. */
function markdownAddress(address: string): string {
  const escape = (text: string): string => text.replaceAll(/["'<>()[\]\\|`{}^*]/g, String.raw`\$&`)
  // Every second part is in brackets.
  const parts = address.split(/\(([^()]*)\)/)
  return parts.map((part, at) => (at % 2 === 1 ? `(${escape(part)})` : escape(part))).join('')
}

/** An address for `[url=…]`, which ends at a bracket: in lower case, codes are those of signs, and read back as they. */
function postAddress(address: string): string {
  return address.replaceAll(/[[\]<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
}

/**
 * One line of Markdown that shows the text and nothing else, with the escapes that articles of the osu! wiki have: only
 * where a sign would mean something. A backslash does so before punctuation, an address if it becomes a link by itself.
 */
function escapeMarkdown(text: string): string {
  const escaped = cleanLine(text)
    .replaceAll(
      /\\(?=[!-/:-@[-`{-~]|$)|[`*_[\]<>~]|&(?=#?\w{1,40};)|@(?=[\w-]+\.)/g,
      String.raw`\$&`,
    )
    .replaceAll(/(?<=https?|ftp):(?=\/\/)|(?<=www)\.|(?<=\])\(/gi, String.raw`\$&`)
    .replaceAll(keyDot, String.raw`\.`)
  return changeTargets(escaped, (each) => each.replaceAll(/(?<!\\)[!/#?=]/g, String.raw`\$&`))
}

/**
 * A line for BBCode, which has no escapes: an invisible space of no width parts what would begin a tag or an
 * address.
 */
function escapeBbcode(text: string): string {
  return changeTargets(cleanLine(text), (each) => each.replaceAll(/[0-9]+/g, `${noTarget}$&`))
    .replaceAll(/\[(?=[/*a-z])|:(?=\/\/)|www(?=\.)|@/gi, '$&\u200b')
    .replaceAll(keyDot, '\u200b.')
}

/** That of a pack key. */
const keyDot = /(?<=(?<![\w-])pk[0-9]{1,9})\.(?=[\w-])/g

/** A text with each part changed that reads like a beatmap, which it is none of. */
function changeTargets(text: string, change: (target: string) => string): string {
  return findTargets(text).reduceRight(
    (whole, { start, end }) =>
      whole.slice(0, start) + change(whole.slice(start, end)) + whole.slice(end),
    text,
  )
}
