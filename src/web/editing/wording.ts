import * as files from '#texts/files'
import * as keys from '#texts/key-problems'
import * as reading from '#texts/reading'
import type { ImportWording } from '../../formats/import/import-wording.ts'
import { join } from '../format.ts'

/** The messages about what is read, worded in the language of the page. */
export const wording: ImportWording = { words: { ...files, ...keys, ...reading }, join }
