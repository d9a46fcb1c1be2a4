import type { Literal } from '../../json/parse-literal.ts'
import {
  codeOf,
  containers,
  idMember,
  idOf,
  labelOf,
  LEAST_ID,
  type LiteralObject,
  type NamedMember,
  names,
  plainName,
  signs,
  textIn,
  wholeOf,
  words,
} from './json-fields.ts'
import { inWords } from '../words/look-alikes.ts'
import { namesRound } from './json-rounds.ts'
import { type BucketCodes, readWhole } from '../words/labels.ts'
import { LARGEST_ID } from '../lines/plausible-ids.ts'
import { type Reading, slotReading } from '../readings.ts'
import { isAside } from '../tables/table-kinds.ts'

const ofScore = new Set(words('score scores scorev2 accuracy acc misses rank'))
const ofPlayer = new Set(
  words('player playerid playername user userid username team teamid teamname osuid'),
)

const sides = new Set(
  words('left right red blue home away a b 1 2 one two team1 team2 teama teamb'),
)

/** Whether a value has both sides of a match: the object around it is about no one of them. */
const hasSides = (value: Literal): boolean =>
  value.kind === 'object' &&
  value.members.length > 1 &&
  value.members.every(({ key }) => sides.has(plainName(key)))

/** Whether an object is about one player or team: the beatmaps in it are those of results, picks or bans. */
export function isAboutPlayer(members: readonly NamedMember[]): boolean {
  const isNamed = members.some(
    ({ name, value }) => ofPlayer.has(name) && value.kind !== 'list' && !hasSides(value),
  )
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
      value.items.every((item) => item.kind === 'number' || isOfPlayer(item)),
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
  return isAside(inWords(key))
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

const spareKeys =
  /^(?:alt(?:ernat(?:e|iv[eo]))?|sub(?:stitut[eo])?|replacement|replay|spare|old|previous|r[ei](?:serva|spaldo)|suplente)$/
export const isSpareKey = (key: string, name: string): boolean =>
  spareKeys.test(name.replace(/(?:beatmap|map)?(?:id)?$/, '')) || isAsideKey(key)

/** Other beatmaps that an object about one names, which are not in the pool: `"backup": 129899`, any other link. */
export function sparesOf(members: readonly NamedMember[], reading?: Reading) {
  return members.flatMap(({ key, name, value, start }) => {
    const id = idOf(value)
    const isLink = reading?.kind === 'slot' && isLinkOf(value) && id !== reading.beatmapId
    if (!isSpareKey(key, name) && !(isLink && !names.ids.includes(name))) return []
    const isSpare = typeof id === 'number' && id >= LEAST_ID && id <= LARGEST_ID
    return isSpare
      ? [{ key, span: { start, end: value.end }, reading: slotReading(null, id, 'alone') }]
      : []
  })
}

/** Whether data describes how other data is made: what it has of beatmaps are examples. */
export function isSchema(value: Literal): boolean {
  if (value.kind !== 'object') return false
  const has = (key: string, kind: Literal['kind']): boolean =>
    value.members.some((member) => member.key === key && member.value.kind === kind)
  const isApi = has('openapi', 'text') || has('swagger', 'text')
  return (isApi && has('paths', 'object')) || (has('type', 'text') && has('properties', 'object'))
}

const LARGEST_SCORE = 1_300_000
const partWords =
  /pool|round|week|day|stage|div|group|bracket|tier|level|season|gold|silver|bronze|final|qual|pro|rookie|upper|lower|winner|loser/i

/** Whether each of several objects has numbers no larger than scores for the same labels, and no name of a part of a pool. */
export function areScores(value: Literal, codes: BucketCodes): boolean {
  const parts =
    value.kind === 'list'
      ? value.items.map((item) => {
          const name = item.kind === 'object' ? (textIn(item, names.rounds) ?? '') : ''
          return { name, item }
        })
      : value.kind === 'object'
        ? value.members.map(({ key, value: item }) => ({ name: key, item }))
        : []
  if (parts.length < 2) return false
  const rows = parts.map(({ name, item }) => {
    const isPart = name === '' || namesRound(name) || partWords.test(name)
    if (item.kind !== 'object' || isPart || codeOf(name, codes) !== null) return null
    const own = item.members.filter(({ key }) => labelOf(key, codes) !== null)
    const scores = own.map(({ value: each }) => wholeOf(each) ?? Infinity)
    return own.length > 0 && scores.every((each) => each >= LEAST_ID && each <= LARGEST_SCORE)
      ? { labels: own.map(({ key }) => key).join(' '), scores: scores.join(' ') }
      : null
  })
  const [first] = rows
  return (
    first != null &&
    rows.every((row) => row?.labels === first.labels) &&
    rows.some((row) => row?.scores !== first.scores)
  )
}

/** Whether the labels of an object have numbers of one player or team, or of a name, that may be scores. */
export function areScoresOfOne(members: readonly NamedMember[], codes: BucketCodes): boolean {
  const scoresOf = (own: readonly Pick<NamedMember, 'key' | 'value'>[]): number[] =>
    own.flatMap(({ key, value }) =>
      labelOf(key, codes) === null ? [] : (wholeOf(value) ?? Infinity),
    )
  const own = scoresOf(members)
  if (own.length > 0) return isAboutPlayer(members) && own.every(isScoreLike)
  const [only, second] = members
  if (only?.value.kind !== 'object' || second !== undefined || containers.has(only.name))
    return false
  const isNamed =
    namesRound(only.key) || partWords.test(only.key) || codeOf(only.key, codes) !== null
  const scores = scoresOf(only.value.members)
  const large = scores.filter((score) => score > USUAL_SCORE)
  return (
    !isNamed &&
    scores.length === only.value.members.length &&
    scores.every((score) => isScoreLike(score) && score <= 1_000_000) &&
    large.length * 2 > scores.length
  )
}

const isScoreLike = (score: number): boolean => score >= LEAST_ID && score <= LARGEST_SCORE
/** Most scores are above. */
const USUAL_SCORE = 400_000

/** The text of a label that a value is or has. */
export const labelTextOf = (value: Literal): string | null =>
  value.kind === 'object' ? textIn(value, names.labels) : value.kind === 'text' ? value.value : null

/** `"3130258": {"pick": "DT3"}` */
export function isIdPair({ key, value }: NamedMember, codes: BucketCodes): boolean {
  const text = labelTextOf(value)
  return (readWhole(key) ?? 0) >= LEAST_ID && text !== null && labelOf(text, codes) !== null
}

/** Whether what is below a key can be the slots of a bucket: numbers or labels with an id, or a list of objects with one. */
export function isGroup(value: Literal, codes: BucketCodes): boolean {
  if (value.kind === 'list') return value.items.some((item) => isWithId(item) || isLinkOf(item))
  if (value.kind !== 'object' || value.members.length === 0) return false
  const members = value.members.map((each) => ({ ...each, name: plainName(each.key) }))
  const hasList = members.some(({ name, value: each }) => {
    return containers.has(name) && each.kind === 'list' && holdsSlots(value)
  })
  if (hasList) return areBare(members)
  return value.members.every(({ key, value: each }) => {
    const index = readWhole(key)
    const isNumber = index !== null && index >= 1 && index <= 99
    return (isNumber || labelOf(key, codes, true) !== null) && typeof idOf(each) === 'number'
  })
}

/** Whether there are numbers in a list or an object, which may be no ids. */
export const hasNumbers = (value: Literal): boolean =>
  partsOf(value).some((part) => wholeOf(part) !== null)

const isLinkOf = (value: Literal): boolean =>
  value.kind === 'text' && readWhole(value.value.trim()) === null && idOf(value) !== null

const isWithId = (value: Literal): boolean =>
  value.kind === 'object' && typeof idOf(value) === 'number'

/** Whether keys of an object are buckets with their slots. */
export const hasBuckets = (
  { members }: Pick<LiteralObject, 'members'>,
  codes: BucketCodes,
): boolean =>
  members.some(
    ({ key, value }) => codeOf(key, codes) !== null && isPart(value) && holdsSlots(value),
  )

/** Whether the beatmaps in the lists of an object say nothing of where they belong. */
export function areBare(members: readonly Pick<NamedMember, 'value'>[]): boolean {
  return members.every(
    ({ value }) =>
      value.kind !== 'list' ||
      value.items.every(
        (item) => item.kind !== 'object' || textIn(item, [...names.codes, ...names.mods]) === null,
      ),
  )
}

/** The values in an object or a list. */
function partsOf(value: Literal): readonly Literal[] {
  if (value.kind === 'object') return value.members.map((member) => member.value)
  return value.kind === 'list' ? value.items : []
}

/** `{ "Mods": "NM" }`, as a bracket has slots without beatmaps. */
function isBareMods({ members }: LiteralObject): boolean {
  return members.length === 1 && plainName(members[0]!.key) === 'mods'
}

/** Whether there is a number, or an object with an id, near in a value. */
export function holdsSlots(value: Literal): boolean {
  const hasId = (part: Literal): boolean =>
    part.kind === 'object' && (idMember(part) !== undefined || isBareMods(part))
  return partsOf(value)
    .slice(0, 50)
    .some((part) => {
      if (part.kind === 'object') return hasId(part) || partsOf(part).some(hasId)
      if (part.kind === 'list') return part.items.some((item) => idOf(item) !== null)
      return idOf(part) !== null
    })
}

export const isPart = ({ kind }: Literal): boolean => kind === 'list' || kind === 'object'

const ownKeys = new Set(['code id', 'beatmapId mods pick'])

/**
 * Whether an object has rounds by their names as our lists for referee bots and overlays do, so that a key is a name, whatever
 * it says. A key that holds beatmaps in files of others is none, and neither is one for the slots of its own bucket.
 */
export function isOwnRounds(members: readonly NamedMember[], codes: BucketCodes): boolean {
  const isOwn = (item: Literal): item is LiteralObject =>
    item.kind === 'object' &&
    ownKeys.has(
      item.members
        .map(({ key }) => key)
        .toSorted()
        .join(' '),
    )
  let isFilled = false
  let areBuckets = true
  for (const { key, value } of members) {
    if (value.kind !== 'list' || !value.items.every(isOwn)) return false
    const bucket = codeOf(key, codes)
    const labels = value.items.filter(isOwn).map((item) => textIn(item, ['code', 'pick']) ?? '')
    isFilled ||= labels.length > 0
    areBuckets &&= bucket !== null && labels.every((text) => labelOf(text, codes)?.code === bucket)
  }
  return (
    isFilled &&
    !areBuckets &&
    !members.some(({ key, name }) => key === name && containers.has(name))
  )
}
