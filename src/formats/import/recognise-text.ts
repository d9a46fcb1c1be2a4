import { FormatError } from '../format-error.ts'
import { readArticle } from './article.ts'
import { readJson } from './json.ts'
import type { BucketCodes } from './labels.ts'
import { readText } from './read-text.ts'
import { type Finding, refused } from './readings.ts'
import { isPlainlyData, isProgram, type Shape } from './shapes.ts'

export type ReadText = { readonly shape: Shape; readonly findings: Finding[] }

/**
 * Finds how a text is made, and reads it so. What has a structure of its own is recognised by that, before any line of it is
 * read: data, sections, an article. What is left are lines and tables.
 */
export function readAnyText(text: string, codes: BucketCodes): ReadText {
  return startsLikeData(text) ? readData(text, codes) : readStructured(text, codes)
}

function readStructured(text: string, codes: BucketCodes): ReadText {
  return readArticle(text, codes) ?? readLines(text, codes)
}

const dataStart = /^[\s\ufeff]*(?:[{[(]|(?:export|const|let|var)\s|[\w.]+\s*=\s*[[{])/

function startsLikeData(text: string): boolean {
  return dataStart.test(text.slice(0, 300))
}

const LONGEST_SHOWN = 200

/** A table, a list or any other text of lines. */
function readLines(text: string, codes: BucketCodes): ReadText {
  if (!/[;{}=(]/.test(text) || !isProgram(text)) return readText(text, codes)
  const [line = ''] = text.trim().split(/[\r\n]/, 1)
  const why = 'It has the statements of a program.'
  const reason = 'This is program text. Paste the list of beatmaps instead.'
  return refusedWhole({ id: 'program', isCertain: true, why }, 1, line, reason)
}

function refusedWhole(shape: Shape, line: number, text: string, reason: string): ReadText {
  const shown = text.slice(0, LONGEST_SHOWN).toWellFormed()
  return { shape, findings: [{ line, text: shown, reading: refused(reason) }] }
}

/** Data, or any other text that begins like it. */
function readData(text: string, codes: BucketCodes): ReadText {
  try {
    return readJson(text, codes)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    if (isProgram(text) || !isPlainlyData(text)) return readStructured(text, codes)
    const line = error.place !== null && 'line' in error.place ? error.place.line : 1
    const own = text.split(/\r\n|\r|\n/, line)[line - 1] ?? ''
    const why = 'It begins as JSON does.'
    const reason = `This is JSON with a mistake. ${error.message}`
    return refusedWhole({ id: 'json', isCertain: false, why }, line, own, reason)
  }
}
