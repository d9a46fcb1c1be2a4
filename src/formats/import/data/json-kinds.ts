import type { Literal } from '../../json/parse-literal.ts'
import {
  codeOf,
  containers,
  idMember,
  idOf,
  labelOf,
  type LiteralObject,
  type NamedMember,
  names,
  plainName,
  signs,
  textIn,
  wholeOf,
  words,
} from './json-fields.ts'
import { namesRound } from './json-rounds.ts'
import { type BucketCodes, readWhole } from '../words/labels.ts'
import { asked, type Finding, skipped, slotReading } from '../readings.ts'
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

const spareKeys = new Set(
  words('alt alternate alternative sub substitute replacement replay spare old previous'),
)
/** Lower numbers count something. */
const LEAST_ID = 1000

export const isSpareKey = (key: string, name: string): boolean =>
  spareKeys.has(name.replace(/(?:beatmap|map)?(?:id)?$/, '')) || isAsideKey(key)

/** Other beatmaps that an object about one names, which are not in the pool: `"backup": 129899`. */
export function sparesOf(members: readonly NamedMember[]) {
  return members.flatMap(({ key, name, value, start }) => {
    if (!isSpareKey(key, name)) return []
    const id = idOf(value)
    const isSpare = typeof id === 'number' && id >= LEAST_ID && value.kind !== 'object'
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

/** `"3130258": {"pick": "DT3"}` */
export function isIdPair({ key, value }: NamedMember, codes: BucketCodes): boolean {
  const text =
    value.kind === 'object'
      ? textIn(value, names.labels)
      : value.kind === 'text'
        ? value.value
        : null
  return (readWhole(key) ?? 0) >= LEAST_ID && text !== null && labelOf(text, codes) !== null
}

/** Whether what is below a key can be the slots of a bucket: numbers or labels with an id, or a list of objects with one. */
export function isGroup(value: Literal, codes: BucketCodes): boolean {
  if (value.kind === 'list') return value.items.some((item) => isWithId(item))
  if (value.kind !== 'object' || value.members.length === 0) return false
  return value.members.every(({ key, value: each }) => {
    const index = readWhole(key)
    const isNumber = index !== null && index >= 1 && index <= 99
    return (isNumber || labelOf(key, codes, true) !== null) && typeof idOf(each) === 'number'
  })
}

const isWithId = (value: Literal): boolean =>
  value.kind === 'object' && typeof idOf(value) === 'number'

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

/** Whether a list of an object has slots of the bucket that a name says and of others: it is the name of a round. */
export function holdsOthers(
  members: readonly NamedMember[],
  code: string,
  codes: BucketCodes,
): boolean {
  const codesOf = (item: Literal): string[] => {
    const text = item.kind === 'object' ? textIn(item, [...names.codes, ...names.mods]) : null
    const own = text === null ? null : (codeOf(text, codes) ?? labelOf(text, codes)?.code)
    return own == null ? [] : [own]
  }
  return members.some(({ value }) => {
    const own = new Set(value.kind === 'list' ? value.items.flatMap(codesOf) : [])
    return own.size > 1 && own.has(code)
  })
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
