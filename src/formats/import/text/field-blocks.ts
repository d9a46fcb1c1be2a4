import { say } from '../import-message.ts'
import { findTargets } from '../../../pool/beatmap-links.ts'
import { readId } from '../lines/plausible-ids.ts'
import { readPlannedLine } from '../lines/plans.ts'
import { roundOfCell } from '../lines/round-names.ts'
import { type Finding, LONGEST_LINE, skipped } from '../readings.ts'
import type { FoundShape } from '../shapes.ts'
import { roleOf } from '../tables/column-names.ts'
import { bucketNamed, knownBucket, namesSlot } from '../words/bucket-names.ts'
import { type BucketCodes, isFilled } from '../words/labels.ts'
import { lineBreak, readWithout } from './markup.ts'
import { countPlans, readText } from './read-text.ts'

type Line = { readonly line: number; readonly text: string }
type Field = Line & { readonly name: string; readonly value: string }
/** Lines of the fields of one beatmap, or a line that is no field. */
type Part = { readonly lines: readonly Line[]; readonly fields: ReadonlyMap<string, string> | null }

const field = /^[\s>*_•-]{0,12}(\p{L}[^:：=\r\n]{0,39}?)[*_\s]{0,6}[:：=][*_\s]{0,6}/u

/** More are no columns of a pool, and would take time. */
const MOST_NAMES = 24

type ReadText = ReturnType<typeof readText>

/** Reads a text of lines, of which some may say by a name what they hold, as columns do. */
export const readFields = (text: string, codes: BucketCodes): ReadText =>
  readFieldBlocks(text, codes) ??
  readWithout(text, withBucketLines(text, codes), (own) => readText(own, codes))

/**
 * Reads blocks of lines that are named as columns are, `Slot: NM1` above `Map: 129891`, in any order: as the rows of the table
 * that has these columns.
 *
 * @returns null for a text in which fewer slots would be read so than by its lines.
 */
function readFieldBlocks(text: string, codes: BucketCodes) {
  const parts = partsOf(text.split(lineBreak), codes)
  const blocks = parts.flatMap(({ fields }) => fields ?? [])
  if (!blocks.some(isWhole)) return null
  const names = [...new Set(blocks.flatMap((fields) => [...fields.keys()]))]
  if (names.length > MOST_NAMES) return null
  const rows = parts.map(({ lines, fields }) =>
    fields === null
      ? lines[0]!.text
      : names.map((name) => (fields.get(name) ?? '').replaceAll('\t', ' ')).join('\t'),
  )
  const read = readText([names.join('\t'), ...rows].join('\n'), codes)
  if (worthOf(read.findings) <= worthOf(readText(text, codes).findings)) return null
  const findings = read.findings.flatMap((finding): Finding[] => {
    const part = parts[finding.line - 2]
    if (part === undefined) return []
    const [{ line }] = part.lines as readonly [Line, ...Line[]]
    const whole = part.lines.map((each) => each.text).join('\n')
    return [{ ...finding, line, text: part.fields === null ? finding.text : whole }]
  })
  const shape = { id: 'blocks', isCertain: true, why: say('isFields') } as const
  return { ...read, shape, findings }
}

function partsOf(lines: readonly string[], codes: BucketCodes): Part[] {
  const parts: Part[] = []
  let open: Field[] = []
  const close = (): void => {
    const fields = new Map(open.map(({ name, value }) => [name, value]))
    if (isSlot(fields)) parts.push({ lines: open, fields })
    else for (const line of open) parts.push({ lines: [line], fields: null })
    open = []
  }
  for (const [at, each] of lines.entries()) {
    const line = { line: at + 1, text: each }
    const asked = command.test(each) ? fieldsOfCommand(each) : null
    if (asked !== null) {
      close()
      parts.push({ lines: [line], fields: asked })
      continue
    }
    const found = fieldOf(each, open.length > 0, codes)
    const isFull = open.length === MOST_NAMES
    if (found === null || isFull || open.some(({ name }) => name === found.name)) close()
    if (found === null) parts.push({ lines: [line], fields: null })
    else open.push({ ...line, ...found })
  }
  close()
  return parts
}

/** What a bot of Discord was asked, with the name of each value: `/pool add slot:NM1 map:129891`. */
const command =
  /^[ \t>]{0,12}\/\p{L}[\p{L}_-]{0,31}(?: [\p{L}_-]{1,32}){0,2} (?=\p{L}[\p{L}\p{N}_-]{0,31}:)/u
const values =
  /(\p{L}[\p{L}\p{N}_-]{0,31}):(?!\/\/) ?(\S.*?)(?= +\p{L}[\p{L}\p{N}_-]{0,31}:(?!\/\/)|$)/gu

function fieldsOfCommand(text: string): ReadonlyMap<string, string> | null {
  const own = text.length > LONGEST_LINE ? '' : text.trim().replace(command, '')
  const fields = new Map(
    Array.from(own.matchAll(values), ([, name = '', value = '']) => [name.toLowerCase(), value]),
  )
  return isSlot(fields) ? fields : null
}

const bucketField =
  /^[\s>*_•-]{0,12}(\p{L}[^:：=\r\n]{0,39}?)[*_\s]{0,6}[:：=][*_\s]{0,6}(.{1,60}?)[*_\s]{0,6}$/u

/**
 * A text with the names of buckets alone in place of `Mods: HD`, if its beatmaps are below such lines: none is above the
 * first, and no slot has a label.
 */
function withBucketLines(text: string, codes: BucketCodes): string {
  if (!/^[^\r\n:：=]{2,52}[:：=]/m.test(text)) return text
  const lines = text.split(lineBreak)
  const names = lines.map((line) => {
    const [, key = '', value = ''] =
      line.length > LONGEST_LINE ? [] : (bucketField.exec(line) ?? [])
    if (key === '' || !['slot', 'mod'].includes(roleOf(key) ?? '')) return null
    return knownBucket(value, codes)?.index === null ? value : null
  })
  const first = names.findIndex((name) => name !== null)
  const isLabelled = lines.some((line, at) => names[at] === null && namesSlot.test(line))
  if (first < 0 || isLabelled || lines.slice(0, first).some((line) => beatmap.test(line)))
    return text
  return lines.map((line, at) => (names[at] === null ? line : `${names[at]}:`)).join('\n')
}

const beatmap = /[0-9]{5}|ppy\.sh\//

/** The field that a line holds; after another field, under any name that is no bucket. */
function fieldOf(text: string, isBeside: boolean, codes: BucketCodes) {
  const [lead = '', key] = text.length > LONGEST_LINE ? [] : (field.exec(text) ?? [])
  if (key === undefined) return null
  const name = key.toLowerCase()
  const isOther = isBeside && !/\p{N}/u.test(key) && knownBucket(key, codes) === null
  if (roleOf(key) === undefined && !isOther) return null
  return { name, value: text.slice(lead.length).replace(/[*_\s]{1,6}$/, '') }
}

const holds = (fields: ReadonlyMap<string, string>, roles: readonly unknown[]): boolean =>
  [...fields].some(([name, value]) => roles.includes(roleOf(name)) && isFilled(value))

const isSlot = (fields: ReadonlyMap<string, string>): boolean =>
  fields.size > 1 && holds(fields, ['slot', 'mod'])

const isWhole = (fields: ReadonlyMap<string, string>): boolean =>
  holds(fields, ['beatmap', 'vague'])

/** What is asked or planned is half as good; no bucket is called as a column is. */
const worthOf = (findings: readonly Finding[]): number =>
  findings.reduce((sum, { reading }) => {
    if (reading.kind === 'asked') return sum + 1
    const code = reading.kind === 'slot' ? (reading.label?.code ?? null) : null
    return code === null || roleOf(code) !== undefined ? sum : sum + 2
  }, countPlans(findings))

type Sections = { readonly shape: FoundShape; readonly findings: Finding[] }

const sectionLine = /^\[([^[\]=]{1,100})\.([^[\].=]{1,40})\]$/
/**
 * Reads the template of osu!collector: sections `[round.bucket]`, and below each the ids or links of its beatmaps, one a
 * line. Lines that begin with # are comments.
 *
 * @returns null for a text that is not made so.
 */
export function readSections(text: string, codes: BucketCodes): Sections | null {
  if (!/^[ \t]*\[[^[\]=\r\n]{1,100}\.[^[\].=\r\n]{1,40}\][ \t]*$/m.test(text)) return null
  const lines = text.split(lineBreak)
  const content = lines
    .map((line) => line.trim())
    .filter((line) => isFilled(line) && !line.startsWith('#'))
  const others = content.filter((line) => !sectionLine.test(line))
  const beatmaps = others.filter((line) => readId(line) !== null || findTargets(line).length > 0)
  if (beatmaps.length === 0 || beatmaps.length * 2 < others.length) return null
  const findings = lines.map((each, at): Finding => {
    const finding = { line: at + 1, text: each }
    const line = each.trim()
    const [, round = '', bucket = ''] = sectionLine.exec(line) ?? []
    const label = bucketNamed(bucket, codes)
    const start = roundOfCell(round.trim())
    if (label !== null && start !== null) {
      return { ...finding, reading: { kind: 'heading', label, isSoft: true }, round: start }
    }
    return { ...finding, reading: line.startsWith('#') ? skipped : readPlannedLine(line, codes) }
  })
  const why = say('isSections')
  return { shape: { id: 'sections', isCertain: true, why }, findings }
}
