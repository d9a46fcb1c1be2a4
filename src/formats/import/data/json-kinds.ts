import type { Literal } from '../../json/parse-literal.ts'
import { type NamedMember, names, plainName, signs, wholeOf, words } from './json-fields.ts'
import { asked, type Finding, skipped } from '../readings.ts'
import { isAside } from '../tables/table-kinds.ts'
import { say } from '../import-message.ts'

const ofScore = new Set(words('score scores scorev2 accuracy acc misses rank'))
const ofPlayer = new Set(
  words('player playerid playername user userid username team teamid teamname osuid'),
)

/** Whether an object is about one player or team: the beatmaps in it are those of results, picks or bans. */
export function isAboutPlayer(members: readonly NamedMember[]): boolean {
  const isNamed = members.some(({ name, value: { kind } }) => ofPlayer.has(name) && kind !== 'list')
  return isNamed && !members.some(({ name }) => signs.has(name))
}

/** Whether an object says what somebody scored on a beatmap. */
export function isScore(members: readonly NamedMember[]): boolean {
  const isScored = members.some(
    ({ name, value: { kind } }) => ofScore.has(name) && kind === 'number',
  )
  return isScored && isAboutPlayer(members)
}

const ofGame = new Set(words('teamtype scoringtype matchtype scoringmode'))

/** Whether an object is a game of a match, as the platform's API has it: what was played, whatever the pool was. */
export function isGame(members: readonly NamedMember[]): boolean {
  const hasScores = members.some(
    ({ name, value }) =>
      name === 'scores' &&
      value.kind === 'list' &&
      value.items.length > 0 &&
      value.items.every(isOfPlayer),
  )
  const isLabelled = members.some(
    ({ name, value }) => names.labels.includes(name) && value.kind === 'text',
  )
  return members.some(({ name }) => ofGame.has(name)) || (hasScores && !isLabelled)
}

const isOfPlayer = (value: Literal): boolean =>
  value.kind === 'object' && value.members.some(({ key }) => ofPlayer.has(plainName(key)))

const ofPick = new Set(
  words('pickedby bannedby chosenby by winner scorered scoreblue redscore bluescore'),
)
const ofVeto = new Set(words('picks bans protects'))

/** Whether an object records what teams picked and banned: each item says by whom, or how it ended. */
export function isVeto(members: readonly NamedMember[]): boolean {
  const items = members.flatMap(({ name, value }) =>
    ofVeto.has(name) && value.kind === 'list' ? value.items : [],
  )
  return (
    items.length > 0 &&
    items.every(
      (item) =>
        isOfPlayer(item) ||
        (item.kind === 'object' && item.members.some(({ key }) => ofPick.has(plainName(key)))),
    )
  )
}

/** Whether a key says that what is in it is not the pool: `old_pool`, `suggestions`. */
export function isAsideKey(key: string): boolean {
  return isAside(key.replaceAll(/[_-]+|(?<=\p{Ll})(?=\p{Lu})/gu, ' '))
}

const goneKeys = new Set(
  words('removed isremoved deleted isdeleted rejected discarded disabled archived'),
)

/** Whether a beatmap is marked as one that is in the pool no more: `"removed": true`. */
export function isRemoved(members: readonly NamedMember[]): boolean {
  return members.some(({ name, value }) => {
    const isTrue = value.kind === 'word' ? /^true$/i.test(value.value) : wholeOf(value) === 1
    return goneKeys.has(name) && isTrue
  })
}

/**
 * What is below keys that say it is not the pool is left out beside a pool, and asked where it is all there is.
 *
 * @param asides the key of each finding that is below one.
 */
export function settleAsides(findings: readonly Finding[], asides: ReadonlyMap<Finding, string>) {
  const isSlot = ({ reading }: Finding): boolean =>
    reading.kind === 'slot' || reading.kind === 'asked'
  const keys = [...new Set(asides.values())].map((key) => `“${key.slice(0, LONGEST_KEY)}”`)
  if (keys.length === 0) return { findings: [...findings], notes: [] }
  const isBeside = findings.some((finding) => isSlot(finding) && !asides.has(finding))
  const question = say('isAside', { what: keys[0]!.toWellFormed() })
  const settled = findings.map((finding): Finding => {
    const { reading, round: _, ...line } = finding
    if (!asides.has(finding) || reading.kind === 'skipped') return finding
    if (isBeside || reading.kind !== 'slot') return { ...line, reading: skipped }
    const choices = [
      [say('noLeaveIt'), skipped],
      [say('yesUseIt'), reading],
    ] as const
    return { ...finding, reading: asked(question, choices, 'aside') }
  })
  const notes = isBeside ? keys.map((key) => say('leftOut', { what: key.toWellFormed() })) : []
  return { findings: settled, notes }
}

const LONGEST_KEY = 40
