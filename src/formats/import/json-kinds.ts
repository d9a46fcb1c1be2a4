import { type NamedMember, signs, words } from './json-fields.ts'

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
