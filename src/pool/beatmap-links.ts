/** A link in a line: to a beatmap, or to a set (null) without naming a beatmap of it. */
export type Target = Readonly<{ beatmapId: number | null; start: number; end: number }>

// Each part is bounded or anchored, so that a hostile line cannot make the search slow.
/** The names of the game's site. Others have its files, which are found by the numbers of sets: covers, thumbnails. */
const host = String.raw`(?<![\w.-])(?:https?:\/\/)?(?:www\.)?(?:(?:osu|old|new|lazer)\.)?ppy\.sh\/`
const client = String.raw`osu:\/\/`
const path = String.raw`(?<![^\s<>()[\]"'|,;:=])\/`
const tail = String.raw`((?:beatmaps|beatmapsets|b|s|d|p)\b[^\s<>()[\]"'|,;]{0,300})`
/** In Markdown, a sign behind a backslash means nothing. */
const command = String.raw`(?<!\\)!mp\s+map\s+([0-9]+)(?:\s+[0-3](?![^\s]))?`
/** What is left of an address without its host: `7#osu/75`, `b/75`. */
const short = String.raw`(?<![^\s<>()[\]"'|,;:=])(?:[0-9]{1,10}#(?:osu|taiko|fruits|mania)\/|b\/(?=[0-9]{4}))([0-9]{1,10})(?![\w/])`
const anywhere = new RegExp(`(?:${host}|${client}|${path})${tail}|${command}|${short}`, 'gi')

const beatmapPaths = [
  /^(?:beatmaps|b)\/([0-9]+)(?!\w)/i,
  /^beatmapsets\/[0-9]+(?![0-9])[^#]*#[a-z]+\/([0-9]+)(?!\w)/i,
  /^p\/beatmap\?(?:[^#]*&)?b=([0-9]+)(?!\w)/i,
]
const setPaths = /^(?:(?:beatmapsets|s|d)\/[0-9]+|p\/beatmap\?(?:[^#]*&)?s=[0-9]+)(?!\w)/i

/** The links to beatmaps and sets in a line, and the `!mp map` commands, from left to right. */
export function findTargets(line: string): readonly Target[] {
  if (!mayHoldTarget(line, 0)) return none
  if (line === last.line) return last.found
  const found: Target[] = []
  for (let from = 0; mayHoldTarget(line, from); from = anywhere.lastIndex) {
    anywhere.lastIndex = from
    const match = anywhere.exec(line)
    if (match === null) break
    const { 0: whole, 1: link = '', 2: id, 3: short = id, index: start } = match
    const digits = short ?? idIn(link)
    if (digits === undefined && !setPaths.test(link)) continue
    const beatmapId = digits === undefined ? null : Number(digits)
    found.push({ beatmapId, start, end: start + whole.length })
  }
  last = { line, found }
  return found
}

/** Whether there is a sign that is in each link and command, from a place on: most of a line has none. */
function mayHoldTarget(line: string, from: number): boolean {
  return line.includes('/', from) || line.includes('!', from)
}

function idIn(link: string): string | undefined {
  for (const path of beatmapPaths) {
    const digits = path.exec(link)?.[1]
    if (digits !== undefined) return digits
  }
  return undefined
}

/** Signs of no width that nobody else writes together: in a post, what has them in front of its number is no beatmap. */
export const noTarget = '\u200b\u2060'

const none: readonly Target[] = []
/** Several rules ask for those of a line one after the other. */
let last: { readonly line: string; readonly found: readonly Target[] } = { line: '', found: none }
