import { FormatError } from '../format-error.ts'
import { NoData } from '../json/parse-flow.ts'
import { parseToml } from '../json/parse-toml.ts'
import { parseYaml } from '../json/parse-yaml.ts'
import { readArticle } from './text/article.ts'
import { bucketsHeaded, isWholeLabel } from './words/bucket-names.ts'
import { readDataInText } from './data/data-in-text.ts'
import { readJson, readValues } from './data/json.ts'
import { isPart } from './data/json-kinds.ts'
import { asCopied, wholeOfItems, wholeOfMembers } from './data/parts-of-data.ts'
import type { BucketCodes } from './words/labels.ts'
import { doubtPlans } from './lines/doubted-plans.ts'
import { namesRoundAlone } from './lines/round-names.ts'
import { mayBeLeftOut, noteComments, readLeavingOut } from './text/left-out.ts'
import { readFields, readSections } from './text/field-blocks.ts'
import {
  normalizeText,
  notesOfChanges,
  readWithout,
  refuseLost,
  withReferences,
  withoutChanges,
  withoutFences,
  withoutQuotes,
  withoutSentences,
} from './text/markup.ts'
import { cleanLines, doubtCounts, doubtHashed, doubtScores, modsAfter } from './text/clean-lines.ts'
import { type Finding, refused } from './readings.ts'
import { type FoundShape, isPlainlyData, isProgram, isXml, type ShapeId } from './shapes.ts'
import { separatorOfOwn } from '../tables.ts'
import { readOwnTable } from './tables/own-table.ts'
import { linesOfPage } from './text/web-page.ts'
import { type ImportMessage, say } from './import-message.ts'

type ReadText = {
  readonly shape: FoundShape
  readonly findings: Finding[]
  /** What was left out, in sentences. */
  readonly notes?: readonly ImportMessage[]
}

/**
 * Finds how a text is made, and reads it so. What has a structure of its own is recognised by that, before any line of it is
 * read: data, sections, an article. What is left are lines and tables.
 */
export function readAnyText(text: string, codes: BucketCodes): ReadText {
  const own = separatorOfOwn(text) === null ? null : readOwnTable(text)
  if (own !== null) return own
  const plain = withReferences(withoutFences(normalizeText(text), codes))
  const read = readWithout(text, plain, (lines) => readPlain(lines, codes))
  const counted = doubtCounts(doubtHashed(read.findings))
  const isHeaded = read.shape.id === 'table' && read.shape.isCertain
  return noting(text, plain, { ...read, findings: isHeaded ? counted : doubtPlans(counted, codes) })
}

function readPlain(text: string, codes: BucketCodes): ReadText {
  // `RC1 2:`
  const headed = /[0-9] [0-9]{1,2}:/.test(text) ? bucketsHeaded(text) : []
  for (const code of headed) if (codes.find(code) === null) codes.add(code)
  const members = memberStart.test(text) ? wholeOfMembers(text) : null
  if (members !== null) return asCopied(readData(members, codes), text, members)
  if (startsLikeData(text)) return readData(text, codes)
  if (isWebPage(text)) return readPage(text, codes)
  const plain = withoutChanges(text)
  return noting(
    text,
    plain,
    readWithout(text, plain, (own) => readStructured(own, codes)),
  )
}

function noting(written: string, plain: string, read: ReadText): ReadText {
  const notes = notesOfChanges(written, plain)
  return notes.length === 0 ? read : { ...read, notes: [...(read.notes ?? []), ...notes] }
}

/** Tags of which a text of lines cannot have many. */
const blocks = /<(?:table|tr|ul|ol|dl|html|body|div|p|details|h[1-6])\b[^<>]{0,500}>/i
const closing = /<\/(?:table|tr|td|li|ul|ol|dl|html|body|div|p|summary|details|h[1-6])\s*>/i
/** Whether a text is the source of a web page, or of a part of one. */
const isWebPage = (text: string): boolean =>
  [blocks, closing].every((tag) => tag.test(text.slice(0, SAMPLE)))

/** An item, a row of one cell or a heading: most texts have none. */
const marked = /^[ \t>]{0,12}(?:[-*+•][ \t]|#{2,6}[ \t]|\|)/m

/** A page as its lines, of which each is at the line of the source that it begins on. */
function readPage(source: string, codes: BucketCodes): ReadText {
  const { text, lines } = linesOfPage(source)
  const lineAt = (line: number): number => lines[line - 1] ?? 1
  const read = readStructured(text, codes, true, lineAt)
  return {
    ...read,
    findings: read.findings.map((finding) => ({ ...finding, line: lineAt(finding.line) })),
  }
}

/** @param lineAt the line of the source of one of the text. */
function readStructured(
  text: string,
  codes: BucketCodes,
  isPage = false,
  lineAt = (line: number): number => line,
): ReadText {
  const readQuoted = (own: string): ReadText =>
    readWithout(own, withoutQuotes(own), (plain) => {
      if (plain !== own && startsLikeData(plain)) return readData(plain, codes)
      const read = readUnquoted(plain, codes, isPage)
      return isOfLines(read) ? refuseLost(read) : read
    })
  return mayBeLeftOut.test(text) ? readLeavingOut(text, readQuoted, lineAt) : readQuoted(text)
}

const ofLines: readonly ShapeId[] = ['list', 'blocks', 'article', 'table', 'transposed']

/** Not data, where an object may stand in several lines. */
const isOfLines = ({ shape }: ReadText): boolean => ofLines.includes(shape.id)

function readUnquoted(text: string, codes: BucketCodes, isPage: boolean): ReadText {
  const sections = readSections(text, codes)
  if (sections !== null) return sections
  const inner = isPage ? text : withoutSentences(text, codes)
  const { read, plain } = readNotation(text, inner, codes)
  const article = (): ReadText | null => {
    const readRest = (rest: string): Finding[] => readCleaned(rest, codes).findings
    return marked.test(text) ? readArticle(text, codes, readRest) : null
  }
  const own = read ?? readInside(text, inner, codes) ?? (isPage ? null : readMixed(text, codes))
  return own ?? article() ?? plain ?? readLines(text, codes)
}

/** Lines with data among them, or unless they begin with a bracket, with a member of some; no program and no page. */
function readMixed(text: string, codes: BucketCodes): ReadText | null {
  const hasData =
    /[[{]\s*["'{[]/.test(text) || (!startsLikeData(text) && /["']\s*:\s*\[/.test(text))
  if (!hasData || /^\s*</.test(text) || isProgram(text)) return null
  return readDataInText(text, codes, (rest) => readStructured(rest, codes))
}

/** Data with sentences around it. */
function readInside(text: string, inner: string, codes: BucketCodes): ReadText | null {
  if (inner === text || !startsLikeData(inner)) return null
  const read = readWithout(text, inner, (plain) => readData(plain, codes))
  return isOfLines(read) ? null : read
}

const tomlStart = /^[ \t]*\[{1,2}[^[\]\r\n]{1,200}\]{1,2}[ \t]*$/m
const tomlMember = /^[^=\r\n[\]{}]{1,100}=/m
/** A key or a hyphen, and below it something further to the right; or an item in braces. */
const yamlNested =
  /^(?:-|[ \t]{0,20}(?:- )?[^\s#:{[][^\r\n:{[]{0,60}:)[ \t]*(?:#[^\r\n]*)?\r?\n[ \t]{0,20}(?:[- ]|"?[\p{L}\p{N}])|^\s{0,20}- (?:\{|[\w"' ]{1,40}: )/mu

/**
 * Data in the notations of configuration files, if it says at least as much as its lines do by themselves: a list of
 * lines may look like one of them. `plain`: what its lines say, where that was read to compare it.
 */
function readNotation(written: string, text: string, codes: BucketCodes): Notation {
  const isToml = tomlStart.test(text) && tomlMember.test(text)
  if (!isToml && !yamlNested.test(text.slice(0, SAMPLE))) return noNotation
  if (!isToml && namesRoundAlone(text, codes)) return noNotation
  try {
    const read = isToml
      ? readValues(text, [parseToml(text)], codes, 'toml')
      : readValues(text, parseYaml(text).filter(isPart), codes, 'yaml')
    const own = worthOf(read)
    if (own.labelled === 0) return noNotation
    const plain = readLines(text, codes)
    // What data says for certain is not asked because its lines would be.
    const isClear = read.findings.every(({ reading }) => reading.kind !== 'asked')
    const { labelled, all, given, whole } = worthOf(plain, isClear)
    // What data says is not the pool may be a slot as a line.
    const left = read.findings.filter(({ reading }) => reading.kind === 'skipped').length
    const isAll = own.labelled + left >= labelled && own.all + left >= all
    // `- NM1: 129891 // remark` is a text with a number in it there.
    const taken = left + (read.rowIds ?? 0)
    const isGiven = own.given + taken >= given && own.whole + taken >= whole
    return {
      read: isAll && isGiven ? readWithout(written, text, () => noteComments(text, read)) : null,
      plain: text === written ? plain : null,
    }
  } catch (error) {
    if (!(error instanceof NoData)) throw error
    return noNotation
  }
}

type Notation = { readonly read: ReadText | null; readonly plain: ReadText | null }

const noNotation: Notation = { read: null, plain: null }
const SAMPLE = 20_000
/** How many slots there are in what was read, how many of them by their own labels, and how many have a beatmap, or both. */
function worthOf({ findings: every }: ReadText, isClear = false) {
  const findings = isClear ? every.filter(({ reading }) => reading.kind !== 'asked') : every
  const labels = findings.flatMap(({ reading }) => {
    if (reading.kind === 'slot') return [reading.label?.code ?? null]
    if (reading.kind === 'asked') return ['']
    return reading.kind === 'refused' && reading.plan?.isSure === true
      ? [reading.plan.label?.code ?? null]
      : []
  })
  const given = findings.filter(({ reading: { kind } }) => kind === 'slot' || kind === 'asked')
  const labelled = labels.filter((code) => code !== null).length
  const whole = given.filter(
    ({ reading }) => reading.kind !== 'slot' || reading.label?.code != null,
  )
  return { all: labels.length, labelled, given: given.length, whole: whole.length }
}

/** Behind comments, if there are any; the tag of a post is none. */
const dataStart =
  /^[\s\ufeff\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069]*(?:\/\/[^\r\n]*[\r\n]\s*|\/\*[^*]{0,200}\*\/\s*){0,8}(?:[{(]|\[(?![a-z]{1,12}(?:=[^[\]\r\n]{1,60})?\])|(?:export|const|let|var)\s|[\w.]+\s*=\s*[[{])/

const memberStart = /^\s{0,1000}(["'])[^"'\r\n]{1,100}\1\s{0,100}:/

function startsLikeData(text: string): boolean {
  return dataStart.test(text.slice(0, 1000))
}

const LONGEST_SHOWN = 200
/** A table, a list or any other text of lines. */
function readLines(text: string, codes: BucketCodes): ReadText {
  const read = /[;{}=(]/.test(text) && isProgram(text) ? null : readCleaned(text, codes)
  const isOther = /^\s*</.test(text) && isXml(text)
  if (read !== null && (!isOther || worthOf(read).all > 0)) return read
  const [line = ''] = text.trim().split(/[\r\n]/, 1)
  const why = say('isProgram')
  const reason = say('program')
  return refusedWhole({ id: 'program', isCertain: true, why }, 1, line, reason)
}

function refusedWhole(
  shape: FoundShape,
  line: number,
  text: string,
  reason: ImportMessage,
): ReadText {
  const shown = text.slice(0, LONGEST_SHOWN).toWellFormed()
  return { shape, findings: [{ line, text: shown, reading: refused(reason) }] }
}

/** Data, or any other text that begins like it. */
function readData(text: string, codes: BucketCodes): ReadText {
  try {
    return noteComments(text, readJson(text, codes))
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const whole = wholeOfItems(text)
    if (whole !== null) return asCopied(readData(whole, codes), text, whole)
    const mixed = readMixed(text, codes)
    if (mixed !== null) return mixed
    if (isProgram(text) || !isPlainlyData(text)) return readStructured(text, codes)
    const line = error.place !== null && 'line' in error.place ? error.place.line : 1
    const own = text.split(/\r\n|\r|\n/, line)[line - 1] ?? ''
    const reason = say('badJson', { problem: { message: error.problem } })
    return refusedWhole({ id: 'json', isCertain: false, why: say('isJson') }, line, own, reason)
  }
}

/** Reads lines and tables, each line as it is meant. */
function readCleaned(text: string, codes: BucketCodes): ReadText {
  const read = readWithout<ReadText>(text, cleanLines(text), (clean) => readFields(clean, codes))
  const findings = withModsBehind(doubtScores(read.findings), codes)
  return noteComments(text, { ...read, findings })
}

/** In a list without headings, the mods behind a beatmap are its bucket: `129891 +HDHR`. */
function withModsBehind(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  if (findings.some(({ reading }) => reading.kind === 'heading')) return [...findings]
  return findings.map((finding) => {
    const { reading, text } = finding
    if (reading.kind !== 'slot' || reading.label !== null) return finding
    const [[, code = ''] = []] = text.matchAll(modsAfter)
    const label = { code: code.toUpperCase(), index: null }
    const isBucket = isWholeLabel(label, codes)
    return isBucket ? { ...finding, reading: { ...reading, label, rule: 'line' } } : finding
  })
}
