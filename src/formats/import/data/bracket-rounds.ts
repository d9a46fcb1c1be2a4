import { type Literal, type Member, parseLiteralAt } from '../../json/parse-literal.ts'
import {
  isArrayAt,
  isObjectAt,
  memberOf,
  partsOf,
  scanJson,
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
  return opens.test(text) && /"Rounds"\s*:\s*\[/.test(text)
}

/** What the tournament client writes in addition to the rounds. */
const siblings = ['Matches', 'Teams', 'Ruleset', 'Progressions', 'ChromaKeyWidth', 'PlayersPerTeam']
/** What it writes in a round in addition to its name and its beatmaps. */
const ofRound = ['BestOf', 'BanCount', 'StartDate', 'Matches', 'Description']
const kept = {
  round: new Set(['Name', 'Beatmaps']),
  beatmap: new Set(['ID', 'Mods']),
}

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
  const hasKey = (object: typeof root, keys: readonly string[]): boolean =>
    isObjectAt(text, object) &&
    [...partsOf(text, object)].some(({ key }) => keys.includes(stringAt(text, key) ?? ''))
  const isBracket = hasKey(root, siblings) || items.some((round) => hasKey(round, ofRound))
  if (!isBracket || !items.some((round) => hasKey(round, ['Beatmaps']))) return null
  const list = withKeys(parseLiteralAt(text, rounds.start), [kept.round, kept.beatmap])
  const member: Member = { key: 'Rounds', start: rounds.start, value: list }
  return { kind: 'object', ...root, members: [member] }
}

/** A value whose objects keep these members only, by their depth; what is deeper stays whole. */
function withKeys(value: Literal, [keys, ...inner]: readonly ReadonlySet<string>[]): Literal {
  if (keys === undefined) return value
  if (value.kind === 'list') {
    return { ...value, items: value.items.map((item) => withKeys(item, [keys, ...inner])) }
  }
  if (value.kind !== 'object') return value
  const members = value.members
    .filter(({ key }) => keys.has(key))
    .map((member) => ({ ...member, value: withKeys(member.value, inner) }))
  return { ...value, members }
}
