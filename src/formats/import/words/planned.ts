import {
  DETAIL_LENGTH,
  isHttpsLink,
  LINK_LENGTH,
  PLACEHOLDER_LENGTH,
} from '../../../contract/bounds.ts'
import type { SlotDetails } from '../../../contract/rounds.ts'
import { findTargets } from '../../../pool/beatmap-links.ts'
import type { SlotFilling } from '../../../pool/round-fields.ts'
import { cleanLine, isVisible } from '../../../pool/text.ts'
import { fitText } from '../../draft-builder.ts'
import { tidy } from './labels.ts'
import { type Address, addressAlone, addressesIn } from './addresses.ts'
import { mayHoldBeatmap } from './links.ts'
import { say } from '../import-message.ts'

/** What a slot holds that has no beatmap yet (D-77); nothing where it is empty. */
export type Planned = Omit<SlotFilling, 'beatmapId'>

/** What is written where nothing is decided yet. */
const undecided =
  /^[([{]?(?:tb[acd]|t\.b\.[acd]\.?|to be (?:announced|added|confirmed|decided|determined)|[?？]+|(?:coming )?soon|pending|wip|secret|unreleased|custom(?:\s.*)?|未定|待定|미정|por (?:definir|anunciar)|a definir|à définir|скоро)[)\]}]?[.!…]*$/iu

/** Whether a text says that nothing is decided yet, or that it is a map made for the tournament. */
export function isUndecided(text: string): boolean {
  return text.length <= PLACEHOLDER_LENGTH && undecided.test(text.trim())
}

/** Longer texts are cut. */
const LONGEST_READ = 1000

/** The address of a file that a text has, where it can be kept; null for links that may be meant for beatmaps. */
export function fileLinkIn(text: string): string | null {
  return fileAddressIn(text)?.url ?? null
}

/** As `fileLinkIn`, of a text that may be an address alone, to its last sign: a cell, or a value of data. */
export function fileLinkOf(text: string): string | null {
  const alone = addressAlone(text)
  return alone === null ? fileLinkIn(text) : isFileLink(alone) ? alone : null
}

function fileAddressIn(text: string): Address | undefined {
  return addressesIn(text.slice(0, LONGEST_READ * 2)).find(({ url }) => isFileLink(url))
}

function isFileLink(url: string): boolean {
  return mayHoldBeatmap(url) && url.length <= LINK_LENGTH && isHttpsLink(url)
}

/** Whether all links of a text may stay in what is planned: none is of a beatmap or a set, nor meant to be. */
export function hasNoBeatmapLink(text: string): boolean {
  return findTargets(text).length === 0 && addressesIn(text).every(({ url }) => mayHoldBeatmap(url))
}

/** What a text says of a map that has no id: what it is, in words or as a song, and where it can be had. */
export function plannedOf(text: string): Planned {
  const link = fileAddressIn(text)
  const own = link === undefined ? text : withoutLink(text, link)
  // The last sign of a key may look like a separator: it is lost before the key is known for what it is.
  const rest = secret.test(own) ? '' : withoutMarks(own)
  const song = detailsOf(rest)
  const details = isUndecided(rest) && !isWhole(song) ? null : song
  return cutPlanned({
    ...(details === null ? { placeholder: rest } : { details }),
    ...(link !== undefined && { link: link.url }),
  })
}

/** Whether a song says whose map it is, and which: then it is one whatever it is called. */
function isWhole(song: SlotDetails | null): boolean {
  return song?.difficulty !== undefined && song.mapper !== undefined
}

/** What a text says of a map whose difficulty is not named: its links lead to one set, where it is to be found. */
export function plannedOfSet(text: string): Planned | null {
  const targets = findTargets(text)
  const [raw, another] = new Set(targets.map(({ start, end }) => text.slice(start, end)))
  const [first] = targets
  if (raw === undefined || first === undefined || another !== undefined) return null
  if (targets.some(({ beatmapId }) => beatmapId !== null)) return null
  const isWhole = raw.length <= LINK_LENGTH && isHttpsLink(raw)
  const link = isWhole ? raw : `https://osu.ppy.sh/beatmapsets/${/[0-9]+/.exec(raw)?.[0] ?? ''}`
  const { placeholder = '', ...planned } = plannedOf(withoutLink(text, first))
  const [, difficulty] = /^\[([^[\]]+)\]$/.exec(placeholder) ?? []
  const rest = difficulty === undefined ? { placeholder } : { details: { difficulty } }
  return cutPlanned({ ...rest, ...planned, link })
}

/** Where the set is whose id or link is alone in the place for one; null for other texts, and for numbers that count. */
export function linkOfSet(text: string): string | null {
  const id = /^\s*#?([1-9][0-9]{2,8})\s*$/.exec(text)?.[1]
  if (id !== undefined) return `https://osu.ppy.sh/beatmapsets/${id}`
  return plannedOfSet(text)?.link ?? null
}

/** Whether what is planned is known by its set: a pack has to know the difficulty. */
export function isOfSet({ link = '' }: Planned): boolean {
  return findTargets(link).some(({ beatmapId }) => beatmapId === null)
}

/** An API key, whatever prefix an installation gives it (spec 5): pasted by mistake, it must not be shown to the staff. */
const secret = /[A-Za-z0-9]_[A-Za-z0-9_-]{43}/

/** What is planned, each part as long as it may be; what cannot be kept is left out. */
export function cutPlanned({ placeholder = '', details = {}, link = '' }: Planned): Planned {
  const [cut, known] = [fitText(placeholder, PLACEHOLDER_LENGTH), cutDetails(details)]
  return {
    ...(isVisible(cut) && !secret.test(placeholder) && { placeholder: cut }),
    ...(known !== null && { details: known }),
    ...(link.length <= LINK_LENGTH && isHttpsLink(link) && { link }),
  }
}

/** Without a link, and without the signs that make it one. */
function withoutLink(text: string, { start, end }: Pick<Address, 'start' | 'end'>): string {
  const [before, after] = [text.slice(0, start), text.slice(end)]
  return `${before.replace(/(?:\[url=|\]\(<?|<)$/i, ' ')} ${after.replace(/^(?:>?\)|>|\])/, ' ')}`
}

const tags = /(?<!\\)\[\/?(?:b|i|u|s|url|\*|size|colou?r)(?:=[^\]]*)?\]/gi
const stars =
  /[\s([]{0,3}(?:[★☆*]\s?[0-9]{1,2}(?:[.,][0-9]+)?|(?<![^\s([])[0-9]{1,2}(?:[.,][0-9]+)?\s?[★☆*])[\s)\]]*$/u
/** A star rating is shorter. */
const LONGEST_STARS = 16

/** A text as it is meant: without markup, the separators around it, and the star rating after it. */
function withoutMarks(text: string): string {
  const line = cleanLine(text.slice(0, LONGEST_READ).toWellFormed()).replaceAll(/\s+/g, ' ')
  const plain = line
    .replaceAll(tags, ' ')
    .replace(/\]\( ?\)/, ' ')
    .trim()
  const tail = plain.slice(-LONGEST_STARS).replace(stars, '')
  const rated = plain.slice(0, -LONGEST_STARS) + tail
  const bare = withoutEnd(rated.replace(/^(?:[\s:：=>|,;.*_~`]|[-–—]+(?=\s|$))+/u, ''))
  // The text of a Markdown link, whose own brackets are escaped.
  const isOpen = /^\[[^\]]/.test(bare) && endOfBracket(bare) < 0
  return (isOpen ? bare.slice(1) : bare)
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\.osu$/i, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** A text without the separators after it; a dash is one only behind a space. */
function withoutEnd(text: string): string {
  let end = text.length
  for (;;) {
    const before = end
    while (end > 0 && ' :=<|,;*_~`'.includes(text[end - 1]!)) end -= 1
    let start = end
    while (start > 0 && '-–—'.includes(text[start - 1]!)) start -= 1
    if (start < end && (start === 0 || text[start - 1] === ' ')) end = start
    if (end === before) return text.slice(0, end)
  }
}

/** Where the bracket that a text begins with is closed; -1 if nowhere. */
function endOfBracket(text: string): number {
  let depth = 0
  for (const { 0: sign, index } of text.matchAll(/\\.|[[\]]/g)) {
    if (sign === '[') depth += 1
    else if (sign === ']') depth -= 1
    if (depth === 0) return index
  }
  return -1
}

/** Parentheses at the end of a title that are no name of a mapper. */
const ofTitle =
  /\b(?:ver|version|size|cut|edit|mix|remix|rmx|vip|feat|ft|short|long|full|extended|sped|speed|bootleg|cover|cv|tv|live|instrumental|edition|op|ed|ost|arrange|vocal)\b/i
const byMapper = /(?:^|\s)(?:mapped )?by\s+(\S.*)$/i

/**
 * The parts of `Artist - Title (Mapper) [Difficulty]`, `Artist - Title [Difficulty] (mapper)` or
 * `… [Difficulty] by mapper`; null for a text that has no artist and title.
 */
export function detailsOf(text: string): SlotDetails | null {
  const bracket = lastGroup(text, '[', ']')
  const after = bracket === null ? '' : text.slice(bracket.end).trim()
  const behind = mapperIn(after)
  if (after !== '' && behind === null) return null
  const difficulty = bracket?.inner.trim() ?? ''
  let song = bracket === null ? text : text.slice(0, bracket.start).trim()
  let mapper = behind ?? ''
  const group = bracket !== null && mapper === '' ? lastGroup(song, '(', ')') : null
  if (group !== null && group.end === song.length && !ofTitle.test(group.inner)) {
    mapper = group.inner.trim()
    song = song.slice(0, group.start).trim()
  }
  const [, artist = '', title = ''] = /^(.*?\S)\s[-–—]\s+(\S.*)$/u.exec(song) ?? []
  const isNamed = /[\p{L}\p{N}]/u.test(artist) || (difficulty !== '' && mapper !== '')
  if (!isVisible(artist) || !isNamed || !isVisible(title)) return null
  // What is in the middle of a title is no difficulty, and what follows it a remark.
  if (bracket === null && /\[[^\]]*\]/.test(title)) return null
  return cutDetails({ artist, title, difficulty, mapper })
}

function mapperIn(text: string): string | null {
  const group = lastGroup(text, '(', ')')
  if (group !== null && group.start === 0 && group.end === text.length) return group.inner.trim()
  const [whole = '', name] = byMapper.exec(text) ?? []
  return name !== undefined && whole.length === text.length ? name : null
}

/** The details that there are, each as long as it may be; null if there are none. */
export function cutDetails(details: SlotDetails): SlotDetails | null {
  const known = Object.entries(details).flatMap(([name, text]) => {
    const cut = fitText(text ?? '', DETAIL_LENGTH)
    return isVisible(cut) && !secret.test(text ?? '') ? [[name, cut] as const] : []
  })
  return known.length === 0 ? null : Object.fromEntries(known)
}

/** The last bracket of a text with what is in it, others in it included; null if none is closed. */
function lastGroup(text: string, open: string, close: string) {
  const end = text.lastIndexOf(close)
  let depth = 0
  for (let at = end; at >= 0; at -= 1) {
    if (text[at] === close) depth += 1
    else if (text[at] === open) depth -= 1
    if (depth === 0) return { start: at, end: end + 1, inner: text.slice(at + 1, end) }
  }
  return null
}

/** The texts of a row whose columns have no names. */
export function wholeText(first: string, others: readonly string[]): string {
  return detailsOf(tidy(first)) !== null ? first : [first, ...others].map(tidy).join(', ')
}

export const SET_FILE = say('setFile')

/** Whether it is the file of a whole set, whose name begins with the number of the set: `2095112 Artist - Title.osz`. */
export function isSetFile(item: string): boolean {
  const end = item.length > LONGEST_FILE_NAME ? -1 : item.search(/\.osz(?![\p{L}\p{N}])/iu)
  return end >= 0 && !item.includes('//') && /(?<![0-9])[0-9]{1,9} \S/.test(item.slice(0, end))
}

const LONGEST_FILE_NAME = 400

/** Columns whose cells are details of a map. */
const detailColumns: ReadonlyMap<string, 'artist' | 'title' | 'difficulty' | 'mapper'> = new Map([
  ...'artist アーティスト 曲师 artista'.split(' ').map((name) => [name, 'artist'] as const),
  ...'title song songname songtitle'.split(' ').map((name) => [name, 'title'] as const),
  ...'version difficulty difficultyname diff diffname'
    .split(' ')
    .map((name) => [name, 'difficulty'] as const),
  ...'mapper mappers creator mapset host'.split(' ').map((name) => [name, 'mapper'] as const),
])

type Details = readonly (ReturnType<typeof detailColumns.get> | undefined)[]

/** The details by their columns; all rows below a header ask for the same. */
export function detailsNamed(titles: readonly string[]): Details {
  if (titles === lastNamed.titles) return lastNamed.details
  const details = titles.map((title) =>
    detailColumns.get(
      tidy(title)
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]/gu, ''),
    ),
  )
  lastNamed = { titles, details }
  return details
}

let lastNamed: { readonly titles: readonly string[]; readonly details: Details } = {
  titles: [],
  details: [],
}

/** Whether a column of this name has details of a map, which are no labels whatever they are. */
export function holdsDetails(titles: readonly string[], column: number): boolean {
  return detailsNamed(titles)[column] !== undefined
}

/** The titles that `writeTable` gives these columns. */
const ownTitles = 'Slot,Beatmap ID,Set ID,Artist,Title,Version,Mapper,Stars,Length,BPM,CS,AR'

/** Where a row of a table that is ours begins; -1 in others. */
export function ownColumn(titles: readonly string[]): number {
  const at = titles.indexOf('Slot')
  const width = ownTitles.split(',').length
  return titles.slice(at, at + width).join() === ownTitles ? at : -1
}
