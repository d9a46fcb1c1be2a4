import * as differences from '#texts/differences'
import * as names from '#texts/fields'
import type { PackInput } from '../contract/packs.ts'
import type { RoundInput } from '../contract/rounds.ts'

type FieldName = keyof PackInput | keyof RoundInput

/** What each field of packs and rounds is called on pages. */
export const fieldNames: Readonly<Record<FieldName, string>> = names

export const isFieldName = (name: string): name is FieldName => Object.hasOwn(fieldNames, name)

/** What differences of packs are called on pages. */
export const differenceTexts = { ...names, ...differences }
