import { type Literal, type Member, parseLiteralAt } from '../../json/parse-literal.ts'
import {
  isArrayAt,
  isObjectAt,
  memberOf,
  partsOf,
  scanJson,
  type Span,
  stringAt,
} from '../../json/scan-json.ts'

/** In UTF-16 units: the tournament client keeps in the file what it knows of each beatmap, team and match. */
export const LONGEST_BRACKET = 4_000_000

const opens = /^[\s\ufeff\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069]*\{/
/** White space that JSON does not know, around a line: no text of JSON goes on in the next. */
const hidden =
  /[\u00a0\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069]{1,20}(?=[\r\n])|(?<![^\r\n])[ \t\u00a0\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069]{1,200}/g

/** Whether a text can be a bracket.json, as its length alone shows of no other. */
export function mayBeBracket(text: string): boolean {
  return opens.test(text) && /"Rounds"\s*:\s*\[/i.test(text)
}

/** Whether it has beatmaps where a bracket has them: by their ids, however low these are. */
export const isLikeBracket = (text: string): boolean =>
  mayBeBracket(text) && text.includes('"Beatmaps"')

/** What the tournament client writes in addition to the rounds. */
const siblings = 'Matches Teams Ruleset Progressions ChromaKeyWidth PlayersPerTeam'.split(' ')
/** What it writes in a round in addition to its name and its beatmaps. */
const ofRound = 'BestOf BanCount StartDate Matches Description'.split(' ')
/** As it writes them; it reads them in any case. */
const usual = { round: ['Name', 'Beatmaps'], beatmap: ['ID', 'Mods'] } as const

/**
 * The rounds of a bracket.json, as the tournament client's own source writes it, each with its name and its beatmaps;
 * nothing else in the file says where a beatmap belongs. null for a text that is none.
 *
 * @throws FormatError with line and column of what is no JSON.
 */
export function bracketRounds(written: string): Literal | null {
  if (!mayBeBracket(written)) return null
  const text = written.replaceAll(hidden, (part) => ' '.repeat(part.length))
  const root = scanJson(text)
  const rounds = memberOf(text, root, 'Rounds')
  if (rounds === undefined || !isArrayAt(text, rounds)) return null
  const items = [...partsOf(text, rounds)].map(({ value }) => value)
  const isBracket =
    hasKey(text, root, siblings) || items.some((round) => hasKey(text, round, ofRound))
  if (!isBracket || !items.some((round) => holdsBeatmaps(text, round))) return null
  const list = withKeys(parseLiteralAt(text, rounds.start), [usual.round, usual.beatmap])
  const member: Member = { key: 'Rounds', start: rounds.start, value: list }
  return { kind: 'object', ...root, members: [member] }
}

function hasKey(text: string, object: Span, keys: readonly string[]): boolean {
  return isObjectAt(text, object) && keys.some((key) => isThere(text, object, key))
}

const isThere = (text: string, object: Span, name: string): boolean =>
  [...partsOf(text, object)].some(({ key }) => isSameKey(stringAt(text, key) ?? '', name))

const isSameKey = (key: string, name: string): boolean => key.toLowerCase() === name.toLowerCase()

/** Other programs have beatmaps in rounds, too, with other keys in them. */
function holdsBeatmaps(text: string, round: Span): boolean {
  if (!isObjectAt(text, round)) return false
  return [...partsOf(text, round)].some(({ key, value }) => {
    const name = stringAt(text, key) ?? ''
    if (name === 'Beatmaps') return true
    if (!isSameKey(name, 'Beatmaps') || !isArrayAt(text, value)) return false
    const beatmaps = [...partsOf(text, value)]
    const isBeatmap = (beatmap: Span): boolean =>
      usual.beatmap.every((part) => hasKey(text, beatmap, [part]))
    return beatmaps.length > 0 && beatmaps.every((part) => isBeatmap(part.value))
  })
}

/** A value whose objects keep these members only, by their depth, in the usual case; what is deeper stays whole. */
function withKeys(value: Literal, [keys, ...inner]: readonly (readonly string[])[]): Literal {
  if (keys === undefined) return value
  if (value.kind === 'list') {
    return { ...value, items: value.items.map((item) => withKeys(item, [keys, ...inner])) }
  }
  if (value.kind !== 'object') return value
  const members = value.members.flatMap((member) => {
    const key = keys.find((each) => isSameKey(member.key, each))
    return key === undefined ? [] : [{ ...member, key, value: withKeys(member.value, inner) }]
  })
  return { ...value, members }
}
