import { FormatError } from '../format-error.ts'
import { NoData } from '../json/parse-flow.ts'
import type { Literal } from '../json/parse-literal.ts'
import { parseToml } from '../json/parse-toml.ts'
import { parseYaml } from '../json/parse-yaml.ts'
import { readArticle } from './article.ts'
import { readJson, readValues } from './json.ts'
import type { BucketCodes } from './labels.ts'
import { readText } from './read-text.ts'
import { type Finding, refused } from './readings.ts'
import { readSections } from './sections.ts'
import { isPlainlyData, isProgram, type Shape } from './shapes.ts'
import { isWebPage, linesOfPage } from './web-page.ts'

export type ReadText = { readonly shape: Shape; readonly findings: Finding[] }

/**
 * Finds how a text is made, and reads it so. What has a structure of its own is recognised by that, before any line of it is
 * read: data, sections, an article. What is left are lines and tables.
 */
export function readAnyText(text: string, codes: BucketCodes): ReadText {
  if (startsLikeData(text)) return readData(text, codes)
  return isWebPage(text) ? readPage(text, codes) : readStructured(text, codes)
}

/** A page as its lines, of which each is at the line of the source that it begins on. */
function readPage(source: string, codes: BucketCodes): ReadText {
  const { text, lines } = linesOfPage(source)
  const { shape, findings } = readStructured(text, codes)
  return {
    shape,
    findings: findings.map((finding) => ({ ...finding, line: lines[finding.line - 1] ?? 1 })),
  }
}

function readStructured(text: string, codes: BucketCodes): ReadText {
  return (
    readSections(text, codes) ??
    readNotation(text, codes) ??
    readArticle(text, codes) ??
    readLines(text, codes)
  )
}

const tomlStart = /^\s*\[{1,2}[^[\]\r\n]{1,200}\]{1,2}\s*$/m
const tomlMember = /^[^=\r\n[\]{}]{1,100}=/m
/** A key or a hyphen, and below it something further to the right; or an item in braces. */
const yamlNested =
  /^(?:-|[ \t]{0,20}(?:- )?[^\s#:{[][^\r\n:{[]{0,60}:)[ \t]*(?:#[^\r\n]*)?\r?\n[ \t]{0,20}(?:[- ]|"?[\p{L}\p{N}])|^\s{0,20}- (?:\{|[\w"' ]{1,40}: )/mu

/**
 * Data in the notations of configuration files, if it says at least as much as its lines do by themselves: a list of
 * lines may look like one of them.
 */
function readNotation(text: string, codes: BucketCodes): ReadText | null {
  const isToml = tomlStart.test(text) && tomlMember.test(text)
  if (!isToml && !yamlNested.test(text.slice(0, SAMPLE))) return null
  try {
    const read = isToml
      ? readValues(text, [parseToml(text)], codes, 'toml')
      : readValues(text, parseYaml(text).filter(isPart), codes, 'yaml')
    const [own, plain] = [worthOf(read), worthOf(readLines(text, codes))]
    return own.labelled > 0 && own.labelled >= plain.labelled && own.all >= plain.all ? read : null
  } catch (error) {
    if (!(error instanceof NoData)) throw error
    return null
  }
}

const SAMPLE = 20_000

const isPart = ({ kind }: Literal): boolean => kind === 'list' || kind === 'object'

/** How many slots there are in what was read, and how many of them by their own labels. */
function worthOf({ findings }: ReadText): { all: number; labelled: number } {
  const labels = findings.flatMap(({ reading }) => {
    if (reading.kind === 'slot') return [reading.label?.code ?? null]
    if (reading.kind === 'asked') return ['']
    return reading.kind === 'refused' && reading.plan?.isSure === true
      ? [reading.plan.label?.code ?? null]
      : []
  })
  return { all: labels.length, labelled: labels.filter((code) => code !== null).length }
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
