import { foldCode } from '../../../pool/slots.ts'
import { MAX_CUSTOM_BUCKETS } from '../../../contract/bounds.ts'
import { say } from '../import-message.ts'
import { asked, type Finding, type HeadingReading, LONGEST_LINE } from '../readings.ts'
import { bucketNamed } from '../words/bucket-names.ts'
import { isSkill } from '../words/skills.ts'
import { type BucketCodes, type Label, tidy } from '../words/labels.ts'

type Named = {
  readonly at: number
  readonly name: string
  readonly label: Label
  beatmaps: number
}

const marks = /^[\s*_#=~>•■◆◇●▶★☆:-]+|[\s*_=~:-]+$/gu
const tags = /\[\/?[a-z]{1,8}(?:=[^\]]{0,40})?\]/gi
const hashes = /^\s*#{2,6}\s/
const words = /^\p{L}[\p{L}'’]{0,19}(?: \p{L}{1,12}){0,2}$/u

/**
 * Lines of a word above beatmaps without slots: the name of a skill is that of a bucket, and other words are asked where
 * several begin lists. One above each beatmap may be its title, and so may one below the heading of a bucket or of a slot.
 */
export function nameWords(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  const named = namesAmong(findings, codes)
  const others = named.filter(({ name }) => !isSkill(name))
  const isAsked =
    named.length > 1 &&
    others.length <= MAX_CUSTOM_BUCKETS &&
    others.some(({ beatmaps }) => beatmaps > 1)
  const changed = [...findings]
  for (const { at, name, label } of named) {
    const heading: HeadingReading = { kind: 'heading', label, isSoft: true }
    if (!isSkill(name) && !isAsked) continue
    const choices = [
      [say('newBucket', { code: label.code! }), heading],
      [say('noBucket'), { ...heading, label: { code: null, index: null } }],
    ] as const
    const what = `“${name}”`
    const reading = isSkill(name)
      ? heading
      : asked(say('whichBucket', { what }), choices, `word ${foldCode(name)}`)
    changed[at] = { ...findings[at]!, reading }
  }
  return changed
}

function namesAmong(findings: readonly Finding[], codes: BucketCodes): Named[] {
  const all: Named[] = []
  let open: Named | null = null
  let isBelow = false
  for (const [at, { reading, text, round }] of findings.entries()) {
    const isMarked = reading.kind === 'skipped' && hashes.test(text)
    if (reading.kind === 'skipped' && round === undefined && !isMarked) continue
    const isBare = reading.kind === 'slot' && (reading.label?.code ?? null) === null
    if (isBare && open !== null) {
      if (open.beatmaps === 0) all.push(open)
      open.beatmaps += 1
      continue
    }
    open = null
    const isTitle = isBelow
    isBelow = reading.kind === 'heading'
    const isWords = reading.kind === 'refused' && reading.isProse === true && !reading.plan
    if ((!isWords && !isMarked) || isTitle || text.length > LONGEST_LINE) continue
    const name = tidy(text).replaceAll(tags, '').replaceAll(marks, '')
    const label = words.test(name) ? bucketNamed(name, codes) : null
    if (label?.code != null && label.index === null && (isWords || isSkill(name)))
      open = { at, name, label, beatmaps: 0 }
  }
  return all
}
