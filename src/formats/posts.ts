import type { BeatmapDetails } from '../contract/beatmaps.ts'
import type { BuiltinCode } from '../contract/mods.ts'
import type { RoundSlot } from '../contract/rounds.ts'
import { plannedWords } from '../pool/slot-details.ts'
import { isBuiltinCode, slotLabel, slotsInPoolOrder } from '../pool/slots.ts'
import { cleanLine } from '../pool/text.ts'
import { rulesetNames } from './bracket/write-bracket.ts'
import { beatmapLink } from './lists.ts'
import { linksOf, plannedSlots, type RoundPool } from './sheet.ts'

/** As articles of the osu! wiki name them. */
const bucketNames: Readonly<Record<BuiltinCode, string>> = {
  NM: 'NoMod',
  HD: 'Hidden',
  HR: 'HardRock',
  DT: 'DoubleTime',
  FM: 'FreeMod',
  TB: 'Tiebreaker',
}

/**
 * The mappools as articles of the osu! wiki on tournaments have them: a heading for each round, below one for all
 * of them if there are several; a list of its buckets, and in each a numbered list of its beatmaps, linked. Where a bucket's slots are not numbered from 1
 * on without a gap, they are named instead. Texts of others cannot make markup.
 */
export function writeWiki(rounds: readonly RoundPool[]): string {
  const head = rounds.length === 1 ? [] : ['## Mappools\n']
  return [...head, ...rounds.map(wikiRound)].join('\n')
}

function wikiRound(round: RoundPool): string {
  const buckets = bucketsOf(round).map(({ code, slots }) => {
    const isCounted = slots.every(({ index }, at) => index === at + 1)
    const items = slots.map((slot) => {
      const { label, link } = wordsOf(slot)
      const words = escapeMarkdown(label)
      const linked = link === null ? words : `[${words}](${link})`
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
    ...(mapPackUrl === undefined ? [] : [`**[Download the mappack here](${mapPackUrl})**`]),
    ...(showcaseUrl === undefined ? [] : [`[View the showcase here](${showcaseUrl})`]),
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
      const words = escapeBbcode(label)
      return `[*]${slotLabel(slot)}: ${link === null ? words : `[url=${link}]${words}[/url]`}\n`
    })
    const head = code === null ? '' : `[b]${bucketName(code)}[/b]\n`
    return `${head}[list]\n${items.join('')}[/list]\n`
  })
  const { mapPackUrl, showcaseUrl } = linksOf(round)
  const links = [
    ...(mapPackUrl === undefined ? [] : [`[url=${mapPackUrl}]Download the mappack here[/url]\n`]),
    ...(showcaseUrl === undefined ? [] : [`[url=${showcaseUrl}]View the showcase here[/url]\n`]),
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
  return isBuiltinCode(code) ? bucketNames[code] : code
}

/** A beatmap's name and link; its id, where nothing else is known. Of a slot without one, what is planned. */
function wordsOf(slot: PostedSlot): { label: string; link: string | null } {
  const { beatmapId, known } = slot
  if (beatmapId === undefined)
    return { label: plannedWords(slot) || 'TBA', link: slot.link ?? null }
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

/** One line of Markdown that shows the text and nothing else, links of GitHub's dialect included. */
export function escapeMarkdown(text: string): string {
  return cleanLine(text)
    .replaceAll(/[\\`*_{}[\]<>#|~&$^=@]/g, String.raw`\$&`)
    .replaceAll(/:(?=\/\/)|(?<=www)\.|(?<=\])\(/gi, String.raw`\$&`)
}

/**
 * A line for BBCode, which has no escapes: an invisible space of no width parts what would begin a tag or an
 * address.
 */
export function escapeBbcode(text: string): string {
  return cleanLine(text).replaceAll(/\[(?=[/*a-z])|:(?=\/\/)|www(?=\.)|@/gi, '$&\u200b')
}
