import { builtinCodes } from '../mods.ts'
import type { JsonObject } from './types.ts'

/** Controls, line separators, and what turns the direction of text, as ranges of a character class. */
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f'
const DIRECTIONS = '\\u202a-\\u202e\\u2066-\\u2069'
/**
 * All others, as what they are: a generator that writes `\\u2028` out in a regular expression ends its line there. The
 * second half are those beyond `\\uffff`, with the flag `u` and in languages that need none.
 */
const OTHERS = '(?:[ -~\\u00a0-\\u2027\\u202f-\\u2065\\u206a-\\uffff]|[^\\u0000-\\uffff])'
const VISIBLE = `[^\\s${CONTROLS}${DIRECTIONS}]`
const ONE_LINE = `^\\s*${VISIBLE}${OTHERS}*\\s*$`
const TEXT = `^\\s*${VISIBLE}(?:[^${CONTROLS}${DIRECTIONS}]|\\r?\\n)*\\s*$`
const LINES = `^\\s*(?:[^${CONTROLS}${DIRECTIONS}]|\\r?\\n)*\\s*$`
/** White space around texts is not counted (D-19). */
const FILLED = '\\S'
const NO_BUILTIN = `^(?!(?:${builtinCodes
  .map((code) => Array.from(code, (letter) => `[${letter}${letter.toLowerCase()}]`).join(''))
  .join('|')})$)`

const line = { pattern: ONE_LINE }
const tournamentTexts = { name: line, shortName: line, description: { pattern: LINES } }
const roundTexts = { name: line, packName: line }
const detailTexts = { artist: line, title: line, difficulty: line, mapper: line }
const stored = { pattern: FILLED }
const storedDetails = { artist: stored, title: stored, difficulty: stored, mapper: stored }
/** An object that has all of these fields. */
const having = (...names: readonly string[]): JsonObject => ({
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, {}])),
})
const oneFilling = { not: having('beatmapId', 'placeholder') }
const filling = { fields: { placeholder: line }, ...oneFilling }
const wholePlace = { dependentRequired: { mod: ['index'], index: ['mod'] } }

type Refinement = { readonly fields?: Readonly<Record<string, JsonObject>> } & JsonObject

/** For the document alone: the service has its own messages for these faults (D-19, D-21, D-47). */
export const refinements: Readonly<Record<string, Refinement>> = {
  PackInput: { fields: { name: line, description: { pattern: LINES } } },
  CustomBucketInput: { fields: { code: { pattern: NO_BUILTIN } } },
  TournamentInput: { fields: tournamentTexts },
  TournamentPatch: { fields: tournamentTexts },
  RoundInput: { fields: roundTexts },
  RoundEntry: { fields: roundTexts },
  RoundSlotInput: filling,
  SlotFillingInput: { ...filling, minProperties: 1 },
  StoredSlotFilling: {
    fields: { placeholder: stored, link: stored },
    ...oneFilling,
    minProperties: 1,
  },
  StoredSlotDetails: { fields: storedDetails },
  SlotDetailsInput: { fields: detailTexts },
  RoleInput: {
    not: { required: ['rounds'], properties: { rounds: {}, role: { const: 'host' } } },
  },
  CandidateInput: { fields: { note: { pattern: TEXT } }, not: having('candidates') },
  CandidatesInput: { not: having('mod', 'index', 'beatmapId') },
  RemarkInput: { fields: { text: { pattern: TEXT } }, ...wholePlace },
  RemarkPatch: { fields: { text: { pattern: TEXT } }, ...wholePlace },
}
