import { foldCode, isBuiltinCode } from '../../../pool/slots.ts'
import { withCode, withoutBullet } from './items.ts'
import {
  type BucketCodes,
  codeOfWords,
  isKnown,
  type Label,
  modsOfCode,
  readLabel,
  readWhole,
  readWords,
  texts,
  tidy,
  withoutFieldName,
} from '../words/labels.ts'
import { event } from './lines.ts'
import { LEAST_LONG } from './plausible-ids.ts'
import { isRemarkable, readPlannedLine } from './plans.ts'
import { say } from '../import-message.ts'
import { asked, type Finding, skipped, type SlotReading } from '../readings.ts'
import { askJoined, namesSeveral } from './numbered-lines.ts'
import { findTargets } from '../../../pool/beatmap-links.ts'
import { LEAST_OLD, slotWord, usualCode, withoutFigures } from '../words/bucket-names.ts'

/** What sets a remark apart, is in each link, or marks up a text. */
const marks = /[-–—|,;([#/!~]/
/** The time in front of a line of a chat. */
const time = /^\[[0-9]/
/** Three words at the end, none of which is a number; the last may only announce one. */
const ending = /(?:\s\p{L}[\p{L}\p{N}]*){3}[.?!]?$/u
const fieldEnding = /\s(?:(?:beat)?map(?:id)?|id|link|url)[.?!]?$/i
/** An id as addresses have it or in front of a line, a mapper after one, and the marks of chats that are taken away. */
const marked = /b[0-9]{5}|\sby\s|__|^>|^[^\p{L}\p{N}]*\p{Nd}{5,}[^\p{L}\p{N}]*[)\]:]/iu

/**
 * Whether a line or a cell may be a slot by itself. Most lines of a chat cannot be, which is found faster than by all the
 * rules: a beatmap without a link is named by a number that a label, a remark set apart or the end of the line is next to.
 */
export function mayBeSlot(text: string, codes: BucketCodes): boolean {
  const line = tidy(text)
  const isTimed = time.test(line)
  if (marks.test(line.slice(1)) || marks.test(line.charAt(0)) !== isTimed) return true
  if (marked.test(line) || isRemarkable(text) || namesSeveral(line)) return true
  const isChanged = (): boolean =>
    withoutBullet(line).isItem || event.test(line) || withCode(line) !== line
  if (!isTimed && isChanged()) return true
  if (isTimed && ending.test(line) && !fieldEnding.test(line)) return false
  const words = readWords(line)
  const [first] = words
  if (first === undefined) return false
  const label = readLabel([first.text], codes)
  if (first.text === 'TB' || (isKnown(label, codes) && label.index !== null)) return true
  return withoutFieldName(words, codes)
    .slice(-3)
    .some(({ text: word }) => readWhole(word) !== null)
}

/** `SP1 129891`: of a bucket of its own. */
const isShortCode = ({ label, beatmapId }: SlotReading): boolean =>
  label?.index != null &&
  beatmapId >= LEAST_LONG &&
  /^[A-Z]{2,4}$/.test(label.code ?? '') &&
  !/^(?:RO|BO|FT|TOP)$/.test(label.code ?? '')

/** Whether a line that is in no list can only be a slot: by its own label, or by that of the line above it. */
export function isOwnSlot(
  { reading, text }: Finding,
  above: Finding | undefined,
  codes: BucketCodes,
): boolean {
  const isUsual = (label: Label | null): boolean => {
    const code = label?.code ?? ''
    return (
      isKnown(label, codes) ||
      modsOfCode(code) !== null ||
      usualCode(code) !== null ||
      codeOfWords([code]) !== null
    )
  }
  if (reading.kind === 'slot') {
    if (reading.label !== null) return isUsual(reading.label) || isShortCode(reading)
    return above?.reading.kind === 'heading' && isUsual(above.reading.label)
  }
  if (reading.kind === 'skipped' || reading.kind === 'heading') return false
  const plan = reading.kind === 'refused' ? reading.plan : undefined
  if (plan?.label != null) return plan.isSure && isUsual(plan.label)
  if (reading.kind === 'refused' && reading.isProse === true) return false
  const words = texts(readWords(withoutBullet(tidy(text)).item)).slice(0, 2)
  const label = readLabel(words.slice(0, 1), codes)
  const isNamed = [1, 2].some((count) => codeOfWords(words.slice(0, count)) !== null)
  return /[0-9]{5}/.test(text) && (isNamed || (label?.index != null && isUsual(label)))
}

const separators = /[|\t,;]/
const cellSigns = /[|\t,;]/g

/**
 * Findings in which no line is passed over that is a slot by itself, as it is among the rows of a table that is left out. A row
 * of such a table is none.
 */
export function withOwnSlots(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  const isRow = (at: number): boolean => separators.test(findings[at]?.text ?? '')
  return findings.map((finding, at) => {
    const { reading, text, round } = finding
    const isTold = reading.kind !== 'skipped' && !(reading.kind === 'refused' && reading.isProse)
    if (isTold || round !== undefined || !/[0-9]{2}/.test(text)) return finding
    if (isRow(at) && (isRow(at - 1) || isRow(at + 1))) return finding
    const own = { ...finding, reading: readPlannedLine(text.replaceAll(cellSigns, ' '), codes) }
    return own.reading.kind === 'slot' && isOwnSlot(own, undefined, codes) ? own : finding
  })
}

const target = String.raw`(?:[0-9]{1,10}|(?:https?:\/\/)?[\w.]{0,30}ppy\.sh\/[^\s,;|&+()\[\]]{1,100}|tb[acd]|[?？]{1,5})`
/** A label and what is given for it: `NM1 129891`, `HD: 129891, 75`, `DT2 (https://…)`. */
const group = new RegExp(
  String.raw`\s*(\p{L}{1,12}\s?[0-9]{1,2}|\p{L}[\p{L} -]{1,20}?)(\s*(?:->|=>|[\s:=–—(→-])\s*)(${target}(?:(?:\s*[,;|、/&+]\s*|\s+)${target})*)(?![\p{L}\p{N}])([^\p{L}\p{N}]*)`,
  'iuy',
)
const eachTarget = new RegExp(target, 'giu')
type Group = { label: string; between: string; ids: string[]; apart: string }
const isShort = /^[A-Z]{2,4}$/
/** Longer lines are no lists in a line. */
const LONGEST_LIST = 1000

/** Pairs as forms and addresses send them, of which two are slots: `NM1=129891&page=3&HD1=75`. */
const formData = new RegExp(
  String.raw`^\??(?=(?:[^\s=&/]{1,60}=[^\s=&]{0,300}(?:&|$))+$)(?:.*?(?<=[?&]|^)${slotWord}=(?=[^&]*[0-9])[^&]*(?=&|$)){2}`,
  'u',
)

/** A link with its text, in a post or in Markdown. */
const linked =
  /\[url=[^[\]]{1,200}\](.{0,200}?)\[\/url\]|\[((?:[^[\]]|\[[^[\]]{0,100}\]){0,200})\]\(<?https?:[^()\s]{1,200}\)/gi

/**
 * The links of a line that lists those of a bucket, `NM: [1](…), [2](…)`, or that have each its label, in front of it or as
 * its text; null for other lines.
 */
function linksOfLine(line: string): string[] | null {
  const links = Array.from(line.matchAll(linked), ({ 0: link, 1: post, 2: text = post }) => {
    return { link, text: text ?? '' }
  })
  if (links.length < 2 || findTargets(line).length < links.length) return null
  const between = line
    .replaceAll(linked, '\n')
    .split('\n')
    .map((part) => part.replaceAll(markup, ' ').replace(/^[\s,;|/•·&+-]+|[\s,;|/•·&+:=–—-]+$/g, ''))
  const [name = '', ...others] = between
  const isAlone = others.every((text) => text === '')
  const areLabels = links.every(({ text }) => slotAlone.test(text))
  if (isAlone && isBucket(name))
    return [
      `${name}:`,
      ...links.map(({ link, text }) => (/^[0-9]{1,2}$/.test(text) ? `${text}. ${link}` : link)),
    ]
  if (isAlone && name === '' && areLabels) return links.map(({ link }) => link)
  const isEach = others.at(-1) === '' && between.slice(0, -1).every((text) => slotAlone.test(text))
  return isEach ? links.map(({ link }, at) => `${between[at]} ${link}`) : null
}

const slotAlone = new RegExp(String.raw`^${slotWord}$`, 'u')
const markup = /\[\/?(?:b|i|u|\*)\]|\*\*|__/gi

const isNamed = (label: string): boolean =>
  isBuiltinCode(foldCode(label)) ||
  (codeOfWords(label.split(' ')) ?? usualCode(label) ?? modsOfCode(label)) !== null
/** Not as in `Artist - https://…`. */
const isBucket = (label: string): boolean => isNamed(label) || isShort.test(label)

/** The parts of a line that holds several slots: `NM: 129891, 75` is a heading and two ids, `NM1 129891 & HD1 75` two lines. */
export function partsOfLine(line: string): string[] {
  if (line.length > LONGEST_LIST || !/[0-9].*[0-9]/.test(line)) return [line]
  const text = withoutFigures(tidy(line))
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replace(botCommand, '')
    .replace(countInBrackets, '')
  if (formData.test(text)) return text.replace(/^\?/, '').split('&')
  const links = text.includes('](') || text.includes('[url=') ? linksOfLine(text) : null
  if (links !== null) return links
  const groups: Group[] = []
  group.lastIndex = 0
  for (let end = 0; end < text.length; end = group.lastIndex) {
    const [, label = '', between = '', given = '', apart = ''] = group.exec(text) ?? []
    if (label === '') return [line]
    groups.push({ label, between, ids: given.match(eachTarget) ?? [], apart })
  }
  const ids = groups.flatMap((each) => each.ids)
  const isSlot = (label: string): boolean => /[0-9]$/.test(label) || label === 'TB'
  const [first] = groups
  if (groups.length === 1) {
    const { label, between } = first!
    const isList = /[:=]/.test(between) || (/[–—-]/.test(between) && isBucket(label))
    const areIds = ids.length > 1 && ids.every((id) => /^[^0]./.test(id))
    return areIds && isList && !isSlot(label) ? [`${label}:`, ...ids] : [line]
  }
  // Beside several labels, any word with a beatmap is in the list: where it belongs is asked.
  const areLabels = groups.filter(({ label }) => isSlot(label)).length > 1
  const isPart = ({ label, ids: own }: Group): boolean =>
    isSlot(label) || areLabels ? own.length === 1 : isBucket(label)
  const isListed = groups.slice(0, -1).every(({ apart }) => /[,;|&+]/.test(apart))
  const least = isListed ? 2 : 5
  const isId = (id: string): boolean => id.length >= least || !/[0-9]/.test(id)
  const isCount = groups.every(
    ({ label, ids: own }) => isNamed(label) && Number(own.join(' ')) < LEAST_OLD,
  )
  const isSure = groups.some(({ label }) => isSlot(label) || isNamed(label))
  // `NM 5, HD 3` says how many there are.
  if (isCount) return []
  if (!isSure || !groups.every(isPart) || !ids.every(isId)) return [line]
  return groups.flatMap(({ label, ids: own }) => {
    if (isSlot(label)) return [`${label} ${own[0]}`]
    return isBucket(label) ? [`${label}:`, ...own] : [`${label}: ${own[0]}`]
  })
}

/** What a bot of a chat was asked, in front of its answer; `!mp` is the game's own. */
const botCommand = /^!(?!mp\b)\p{L}{2,16}[:\s]\s*/u

/** `NoMod (3): 129891, 75, 76` */
const countInBrackets =
  /(?<=^\p{L}[\p{L} -]{0,20})\s?[([]x?\s?[0-9]{1,2}(?:\s?\p{L}{1,8})?[)\]](?=\s?[:=–-])/u

const lineBreak = /<br\s?\/?>/i
const endBreak = /<br\s?\/?>\s{0,9}$/i
const listParts = /(?=\[\*\])|(?<=\[\/list\])|(?=\[list)/i
const boxParts =
  /(?<=\[(?:spoiler)?box=[^[\]]{1,40}\])|(?=\[(?:spoiler)?box=)|(?=\[\/(?:spoiler)?box\])/i

/** The name of a bucket, marked as a heading or by bold letters, in front of its first beatmap. */
const headed =
  /^((?:\s*(?:\[(?:notice|cent(?:re|er)|heading|b|u|i|size=[^[\]]{1,9}|color=[^[\]]{1,20})\]|\*\*|__)){1,5})([^[\]*_]{1,40}?):?((?:\s*(?:\[\/(?:heading|b|u|i|size|color|cent(?:re|er))\]|\*\*|__)){1,5})\s*:?\s*(?=\[url=|<?https?:|\[[^\]]{1,200}\]\(https?:)/i

type Row = { readonly line: number; readonly text: string; readonly cells: readonly string[] }

/** The boxes of a post, the items of its list or the slots of a short list, which may be on one line. */
export function splitRow(row: Row): Row[] {
  const { line, text } = row
  const boxes = text.includes('box')
    ? text.split(boxParts).filter((part) => part.trim() !== '')
    : []
  if (boxes.length > 1)
    return boxes.flatMap((part) => splitRow({ line, text: part, cells: [part] }))
  if (text.includes('[*]')) {
    const parts = text.split(listParts).filter((part) => part.trim() !== '')
    return parts.map((part) => ({ line, text: part, cells: [part] }))
  }
  const own = text.length <= LONGEST_LIST && lineBreak.test(text) ? text.split(lineBreak) : [text]
  const isSeveral = own.filter((part) => /[0-9]{4}/.test(part)).length > 1
  const parts = isSeveral ? own.flatMap(partsOfLine) : partsOfLine(text.replace(endBreak, ''))
  if (parts.length === 0) return [{ line, text, cells: [''] }]
  if (parts.length === 1 && parts[0] === text) return splitHead(row)
  return parts.map((part) => ({ line, text: text.includes(part) ? part : text, cells: [part] }))
}

function splitHead(row: Row): Row[] {
  const { line, text } = row
  const [head = '', , name = ''] = text.length > LONGEST_LIST ? [] : (headed.exec(text) ?? [])
  if (head === '' || !isNamed(name)) return [row]
  return [head, text.slice(head.length)].map((part) => ({ line, text: part, cells: [part] }))
}

/** Rows whose cells are only commas and semicolons in a line of several slots: `NM1; HD1: 129891`, `NM 5, HD 3`. */
export function settleJoined(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  return findings.map((finding) => {
    const { reading, text } = finding
    const isRow = reading.kind === 'slot' ? reading.rule === 'row' : reading.kind === 'refused'
    if (!isRow) return finding
    const joined = askJoined(tidy(text), findTargets(text), codes)
    if (joined !== null) return { ...finding, reading: joined }
    return partsOfLine(text).length === 0 ? { ...finding, reading: skipped } : finding
  })
}

const put = new RegExp(String.raw`^\+\s?${slotWord}(?![\p{L}\p{N}])`, 'u')

/** Of slots behind `+` and others behind `-`, it is asked whether the latter are taken out of the pool. */
export function askTaken(findings: readonly Finding[]): Finding[] {
  if (!findings.some(({ text }) => put.test(text))) return [...findings]
  return findings.map((finding) => {
    const { reading, text } = finding
    const isTaken =
      reading.kind === 'slot' && put.test(text.replace(/^-/, '+')) && text.startsWith('-')
    if (!isTaken) return finding
    const choices = [
      [say('noLeaveIt'), skipped],
      [say('yesUseIt'), reading],
    ] as const
    return { ...finding, reading: asked(say('isAside', { what: '“-”' }), choices, 'taken') }
  })
}
