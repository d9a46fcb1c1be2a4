import { rulesetNames } from '../contract/mods.ts'
import { joinEnglish, type Message, type Say, sayOf, worded } from './message.ts'
import { remedyWords } from './remedy-words.ts'

type Most = { most: string }
type Bounds = Most & { least: string }
type Where = { where: string }

/** What is wrong with what was sent, in English, to be read after its place; pages have whole sentences. */
const inputWords = {
  ...remedyWords,
  ...rulesetNames,
  notValid: 'is not valid',
  slur: 'must not contain a slur',
  mostCharacters: ({ most }: Most) => `must have at most ${most} characters`,
  characters: ({ least, most }: Bounds) => `must have ${least} to ${most} characters`,
  exactCharacters: ({ most }: Most) => `must have ${most} characters`,
  charactersOfEmoji: ({ least, most }: Bounds) =>
    `must have ${least} to ${most} characters; emoji count as two`,
  mostItems: ({ most }: Most) => `must have at most ${most} items`,
  items: ({ least, most }: Bounds) => `must have ${least} to ${most} items`,
  exactItems: ({ most }: Most) => `must have ${most} items`,
  itemTwice: 'must not hold the same item twice',
  form: ({ example }: { example: string }) => `must be of the form ${example}`,
  nullCharacter: 'must hold no U+0000',
  loneSurrogate: 'must hold no lone surrogate',
  unsearchable: 'must not contain lone surrogates or U+0000',
  anyControls: 'must not contain control characters',
  notWebhook: 'must be the address of a webhook of Discord',
  underRankMin: ({ least }: { least: string }) => `must be at least rankMin, which is ${least}`,
  bothFilled: 'must be left out: the slot has a beatmap',
  keysOfMania: ({ mania, ruleset }: { mania: string; ruleset: string }) =>
    `is for ${mania}, and the tournament plays ${ruleset}: leave it out, or change the ruleset of the tournament first`,
  roundNameTaken: ({ name, where }: Where & { name: string }) =>
    `is taken: ${where} is called ${name} already; take another name, or rename that round first`,
  proposedTwice: ({ where }: Where) => `must not be the same beatmap for the same slot as ${where}`,
  noSuchTime: 'must be a time that there is',
  otherUsername: 'must match your own username exactly',
}

export type InputWords = typeof inputWords
export type InputMessage = Message<InputWords>
export const wrong: Say<InputWords> = sayOf<InputWords>()

/** What is wrong with a value that was sent, as data. */
export type Wrong = {
  readonly what: InputMessage
  /** What the API says in place of it: what no person can enter, or a hint for those who write programs. */
  readonly inApi?: string
}

/** What is wrong with what was sent, and where: `slots[3].index`; an empty place is the whole. */
export type InputProblem = Wrong & { readonly place: string }

/** What only a program can send: pages say no more of it than that it is not valid. */
export const ofPrograms = (inApi: string): Wrong => ({ what: wrong('notValid'), inApi })

export const inputEnglish = ({ what, inApi }: Wrong): string =>
  inApi ?? worded(what, { words: inputWords, join: joinEnglish })
