import { isHttpsLink, LINK_LENGTH } from '../../../contract/bounds.ts'
import { findTargets } from '../../../pool/beatmap-links.ts'
import { addressesIn, addressTail } from './addresses.ts'

/** What a link that is no beatmap leads to, as its host, its path or the words at it say. */
type LinkKind = 'mapPack' | 'showcase' | 'file' | 'other'
export type FoundLink = { readonly url: string; readonly kind: LinkKind }

/** A link that may be meant for a beatmap, of the game's site or of a mirror. */
const likeBeatmap =
  /^https?:\/\/(?:(?:osu|old|lazer|new)\.ppy\.sh\/(?:b|s|d|p\/beatmap|beatmaps?|beatmapsets?)\b|[^/]{1,100}\/(?:[\w-]{1,20}\/){0,3}(?:b|s|d|beatmaps?|beatmapsets?|maps?|mapsets?)\/?[?=#]?(?:id=)?[0-9]{1,10}(?![\w-]))/i
const gamePages = /^https?:\/\/(?:[\w-]+\.)*ppy\.sh(?:[/?#:]|$)/i
/** Covers, thumbnails, previews and avatars. */
const gameMedia = /^https?:\/\/(?:assets|preview|[abis])\.ppy\.sh(?:[/?#:]|$)/i
const showcaseHosts =
  /^https?:\/\/(?:[\w-]+\.)*(?:youtube\.com|youtu\.be|twitch\.tv|bilibili\.(?:com|tv)|b23\.tv|nicovideo\.jp|nico\.ms|vimeo\.com|sooplive\.co\.kr|afreecatv\.com|chzzk\.naver\.com|streamable\.com|huya\.com|douyu\.com)\//i
const packHosts = /^https?:\/\/packs\.ppy\.sh\/|\.(?:zip|rar|7z)(?:[?#]|$)/i
/** Their paths have any letters. */
const fileHosts =
  /^https?:\/\/(?:[\w-]+\.)*(?:drive\.google\.com|googleusercontent\.com|dropbox\.com|dropboxusercontent\.com|mega\.(?:nz|co\.nz)|mediafire\.com|cdn\.discordapp\.com|media\.discordapp\.net|catbox\.moe|1drv\.ms|onedrive\.live\.com|gofile\.io|pixeldrain\.com|pan\.baidu\.com|lanzou\w*\.com|github\.com|puush\.me|up\.ppy\.sh)\/|\.os[zu](?:[?#]|$)/i
const packWords =
  /map ?-?pack|pool ?-?pack|pack de mapas|pack des? maps|(?:download|get) (?:all|the (?:whole )?(?:map ?)?pool|whole pool)|whole pool|all (?:the )?maps|图包|圖包|懶人包|懒人包|图池包|맵\s?팩|маппак|мап-?пак|マップパック/iu
const showcaseWords = /showcase|\bvods?\b|回放|展示|쇼케이스|ショーケース|шоукейс|показ/iu

const anyAddress = new RegExp(
  String.raw`(?<![\w.-])(?:[a-z][a-z0-9+.-]{1,15}:\/\/|(?:[\w-]{1,63}\.){1,4}[a-z]{2,18}(?=(?::[0-9]{1,5})?[/?]))${addressTail}*`,
  'giu',
)

/** A text with the mere beginnings of its addresses: what follows has numbers that are none of the text. */
export function withoutPaths(text: string): string {
  return text.includes('/') || text.includes('?') ? text.replaceAll(anyAddress, 'https://x') : text
}

/** A text without the numbers of something else that are linked to that: `[#104](https://…)`. */
export function withoutIssues(text: string): string {
  return text.replaceAll(/\[#[0-9]{1,5}\]\(<?https?:[^()\s]{1,500}\)/gi, ' ')
}

/** Whether a link is about all beatmaps of a round, and plans no slot. */
export function isBesideSlots({ kind }: FoundLink): boolean {
  return kind === 'mapPack' || kind === 'showcase'
}

/** Sites of other games, whose maps have such addresses: none is meant for a beatmap. */
const otherGames = /^https?:\/\/(?:[\w-]+\.)*(?:quavergame\.com|beatsaver\.com)\//i

/** Longer texts are searched from their start alone. */
const LONGEST_READ = 2000
const MOST_LINKS = 20

/** Whether a link may be meant for a beatmap: one that is none has to be mended then. */
function isLikeBeatmap(url: string): boolean {
  const others = [fileHosts, packHosts, setDownload, gameMedia, otherGames]
  return likeBeatmap.test(url) && !others.some((other) => other.test(url))
}

/** Whether a link at a slot can lead to its map: pages of the game's site are a mistake there. */
export function mayHoldBeatmap(url: string): boolean {
  return !isLikeBeatmap(url) && (fileHosts.test(url) || !gamePages.test(url))
}

/**
 * The links of a text that are no beatmaps, and what they lead to; none if one of them is a beatmap, or may be meant for
 * one: then the text is about that.
 */
export function linksIn(text: string): FoundLink[] {
  if (!text.includes('://')) return []
  const read = text.slice(0, LONGEST_READ)
  const found = addressesIn(read)
  if (found.some(({ url }) => isLikeBeatmap(url)) || findTargets(read).length > 0) return []
  return found.slice(0, MOST_LINKS).map(({ url, start, end }, at) => {
    // The words at a link come before it, `[Download the map pack](…)`, `Showcase: …`, but for the text of one in a post.
    const [shown = ''] = textInPost.exec(read.slice(end)) ?? []
    return { url, kind: kindOf(url, shown || read.slice(found[at - 1]?.end ?? 0, start)) }
  })
}

const textInPost = /^\][^[\]]{1,100}(?=\[\/url\]|$)/i

function kindOf(url: string, words: string): LinkKind {
  if (packHosts.test(url)) return 'mapPack'
  if (showcaseHosts.test(url)) return 'showcase'
  if (packWords.test(words)) return 'mapPack'
  if (showcaseWords.test(words)) return 'showcase'
  return fileHosts.test(url) || setDownload.test(url) ? 'file' : 'other'
}

/** Mirrors, which have whole sets to download. */
const setDownload =
  /^https?:\/\/(?:[\w-]+\.)*(?:catboy\.best|nerinyan\.moe|osu\.direct|chimu\.moe)\/(?:api\/|v1\/)?d(?:ownload)?\/[0-9]{1,10}(?![\w-])/i

/** What a round can say of its links (D-85). */
type RoundLinks = { readonly mapPackUrl?: string; readonly showcaseUrl?: string }

/** The first link to a map pack and the first to a showcase, as far as a round can hold them. */
export function linksOfRound(links: readonly FoundLink[]): RoundLinks {
  const [mapPackUrl, showcaseUrl] = (['mapPack', 'showcase'] as const).map(
    (wanted) => links.find(({ kind, url }) => kind === wanted && isKept(url))?.url,
  )
  return {
    ...(mapPackUrl !== undefined && { mapPackUrl }),
    ...(showcaseUrl !== undefined && { showcaseUrl }),
  }
}

function isKept(url: string): boolean {
  return url.length <= LINK_LENGTH && isHttpsLink(url)
}
