import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SentProblem } from '../../src/contract/errors.ts'
import { serviceNames } from '../../src/contract/services.ts'
import {
  type poolsSessionApi,
  type sessionApi,
  sessionEndpointsOf,
} from '../../src/contract/session-api.ts'
import { slurs } from '../../src/domain/slurs/slurs.ts'
import { type Field, fieldsOf, isFreeText, outsideBounds } from '../support/refused-values.ts'
import { openRefusingSite, type RefusingSite, speak, type Texts } from '../support/refusing-site.ts'
import { aPack } from '../support/samples.ts'

// What the site refuses is told in the words of its reader (D-107): in English of other letters, a plain English word would
// be one that no translation reaches.

let site: RefusingSite
const pseudo = 'en-XA'
let inPseudo: Awaited<ReturnType<typeof speak>>
let pseudoRefusals: Texts

beforeAll(async () => {
  site = await openRefusingSite()
  inPseudo = await speak(pseudo)
  pseudoRefusals = await import(`../../build/texts/${pseudo}/refusals.js`)
})
afterAll(() => site.close())

/** Every field that is sent on a page, by its endpoint. */
const fields = serviceNames.flatMap((service) =>
  Object.entries(sessionEndpointsOf[service]).flatMap(([name, endpoint]) => {
    const schema = endpoint.body ?? endpoint.query
    return schema === undefined || endpoint.hasEvents
      ? []
      : fieldsOf(schema).map((field) => ({ service, name, field }))
  }),
)

/** Examples, and codes of characters. */
const examples = /https:\/\/\S+|U\+[0-9A-F]{4}|\d{4}-\d\d-\d\dT\S+/g

function plainWords(text: string, sent: unknown): string[] {
  const own = JSON.stringify(sent).toLowerCase()
  const words = text.replaceAll(examples, ' ').match(/[A-Za-z]{2,}/g) ?? []
  return words.filter((word) => /[aeiou]/i.test(word) && !own.includes(word.toLowerCase()))
}

const kindsOf = (problems: readonly SentProblem[]): string[] =>
  problems.map(({ what }) => what.split('{', 1)[0]!)

const isUnnamed = (message: string): boolean =>
  [pseudoRefusals['invalidField'], pseudoRefusals['invalidQuery']].includes(message)

/** What no person fills in: the page does, or takes it from its address where that is right. */
const ofPages = [
  'setLanguage language',
  'endSession id',
  'makeKey shown',
  'revokeKey shown',
  'replacePack basedOn',
  'recordMagnet packKey',
  'lookAtBeatmaps beatmaps',
  'lookAtBeatmaps beatmaps[0].id',
  'lookAtBeatmaps slug',
  'lookAtBeatmaps tournament',
  'lookUpUsage ids',
  'lookUpUsage tournament',
  'searchPacks beatmaps',
  'searchPacks rulesets',
  'searchPacks unrated',
  'searchPacks older',
  'searchPacks after',
  'orderPins slugs',
  'orderPins slugs[0]',
  'createTournament from',
  'replaceRounds rounds[0].id',
  'getTournamentChecks round',
]

/** Texts that are refused for the characters in them. */
const badTexts = [
  '\u202eCup',
  'C\u0000p',
  'C\ud800p',
  '\u200b',
  'C\u0007p',
  'C\u2028p',
  ' ',
  'C\np',
  slurs[0]!.stem.replaceAll('*', ''),
]

/** With what only the site knows: the key of the pack, and no place in a search that nobody has begun. */
function asPages(sent: object, place: string): object {
  const known = 'packKey' in sent && place !== 'packKey' ? { ...sent, packKey: site.packKey } : sent
  const { after: _, ...begun } = known as { readonly after?: unknown }
  return place === 'after' ? known : begun
}

/** Sends each field with these values, and collects what is told. */
async function tellAll(valuesOf: (field: Field) => readonly unknown[]) {
  const plain: unknown[] = []
  const unnamed = new Set<string>()
  const kinds = new Set<string>()
  for (const { service, name, field } of fields) {
    for (const value of valuesOf(field)) {
      const sent = asPages(field.filled(value) as object, field.place)
      const refused = await site.told(inPseudo, name, sent, service)
      if (refused?.status !== 400) continue
      const { message, problems } = refused.error
      const words = plainWords(message, [sent, field.schema.examples])
      if (words.length > 0) plain.push([name, field.place, value, message])
      if (isUnnamed(message)) unnamed.add(`${name} ${field.place}`)
      for (const kind of kindsOf(problems)) kinds.add(kind)
    }
  }
  return { plain, unnamed: [...unnamed], kinds }
}

type Name = keyof typeof sessionApi | keyof typeof poolsSessionApi

const slot = { mod: 'NM', index: 1, beatmapId: 75 }
const nine = Array.from({ length: 9 }, (_, at) => ({ mod: `C${at}`, index: 1 }))

/** What is wrong with fields together, or with what there is already. */
const together: readonly (readonly [kind: string, name: Name, sent: object])[] = [
  ['underRankMin', 'updateTournament', { rankMin: 500, rankMax: 100 }],
  ['form', 'updateTournament', { discordUrl: 'https://chat.example/api/webhooks/1/a' }],
  ['underMin', 'createRound', { name: 'A', targets: { stars: { min: 6, max: 5 } } }],
  ['keysOfMania', 'createRound', { name: 'A', targets: { keys: { min: 4 } } }],
  ['bothFilled', 'createRound', { name: 'A', slots: [{ ...slot, placeholder: 'B' }] }],
  ['sameSlot', 'createRound', { name: 'A', slots: [slot, slot] }],
  ['sameSlot', 'changeSlots', { changes: [0, 1].map(() => ({ ...slot, from: null, to: null })) }],
  ['roundNameTaken', 'replaceRounds', { rounds: [{ name: 'A' }, { name: 'a' }] }],
  ['sameSlot', 'replaceRounds', { rounds: [{ name: 'A', slots: [slot, slot] }] }],
  ['proposedTwice', 'proposeCandidate', { candidates: [slot, slot] }],
  ['noRoom', 'changeSlots', { changes: nine.map((at) => ({ ...at, from: 'none', to: null })) }],
  ['otherUsername', 'deleteAccount', { username: 'Cup' }],
  ['unsearchable', 'listModerated', { query: '\0' }],
  ['likeCode', 'createPack', { ...aPack(), buckets: [{ code: 'nm', color: 1 }] }],
]

describe('what a page says of what the site refuses (D-107)', () => {
  it('names each field that people fill in, whatever is out of its bounds', async () => {
    const { plain, unnamed, kinds } = await tellAll(({ schema }) => outsideBounds(schema))
    expect(plain).toEqual([])
    expect(unnamed).toEqual(ofPages)
    const ofBounds = ['badCode', 'badLink', 'bounds', 'characters', 'form', 'mostCharacters']
    expect([...kinds]).toEqual(expect.arrayContaining([...ofBounds, 'mostItems', 'items']))
  })

  it('names each field that people write in, whatever characters are in it', async () => {
    const ofTexts = ({ schema }: Field) => (isFreeText(schema) ? badTexts : [])
    const { plain, unnamed, kinds } = await tellAll(ofTexts)
    expect(plain).toEqual([])
    expect(unnamed.filter((place) => !ofPages.includes(place))).toEqual([])
    const ofCharacters = ['controls', 'direction', 'invisible', 'lineBreak', 'severalLines', 'slur']
    const all = [...ofCharacters, 'nullCharacter', 'loneSurrogate']
    expect([...kinds]).toEqual(expect.arrayContaining(all))
  })

  it('says nothing in English of what only a program can send', async () => {
    const { plain, kinds } = await tellAll(() => [{ nonsense: ['no'] }, 'nonsense', null])
    expect(plain).toEqual([])
    expect([...kinds]).toContain('notValid')
  })

  it.each(together)('words %s of %s', async (kind, name, sent) => {
    const refused = await site.told(inPseudo, name, sent)
    expect(kindsOf(refused!.error.problems)).toContain(kind)
    expect(plainWords(refused!.error.message, sent)).toEqual([])
    expect(isUnnamed(refused!.error.message)).toBe(false)
  })
})
