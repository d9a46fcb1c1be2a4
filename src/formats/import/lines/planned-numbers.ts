import { type Finding, type Plan, slotReading } from '../readings.ts'
import { askTitle, isRound, ofOther } from './items.ts'
import { LARGEST_LIKELY_ID } from './plausible-ids.ts'

/** A whole number as long as an id, in none with separators and in no address. */
const long = /(?<![\p{L}\p{N}.,/_-])[1-9][0-9]{4,7}(?![\p{L}\p{N}]|[.,:_-][0-9])/gu
/** A single one may be of a title. */
const LEAST_LINES = 2

/**
 * Where at least half of the slots that are planned have each another number as long as an id, `NM1 | 129891 6.5* 3:20`, it
 * is asked whether they are the beatmaps.
 */
export function askPlanned(findings: readonly Finding[]): Finding[] {
  const planned = findings.flatMap((finding) => {
    const { reading } = finding
    if (reading.kind !== 'refused' || reading.plan?.label?.code == null) return []
    const { plan } = reading
    // The link or the number of a set.
    const isOfSet = plan.refusal !== undefined
    return [{ finding, reading, plan, id: isOfSet ? null : idIn(finding.text) }]
  })
  const given = planned.flatMap((each) => (each.id === null ? [] : [{ ...each, id: each.id }]))
  const isEach = new Set(given.map(({ id }) => id)).size === given.length
  if (given.length < LEAST_LINES || given.length * 2 < planned.length || !isEach)
    return [...findings]
  const asked = new Map(
    given.map(({ finding, reading, plan, id }) => [finding, askTitle(reading, slotOf(plan, id))]),
  )
  return findings.map((finding) => ({ ...finding, reading: asked.get(finding) ?? finding.reading }))
}

function slotOf({ label, isCell, isSplit }: Plan, id: number) {
  const own = { ...(isCell === true && { isCell }), ...(isSplit === true && { isSplit }) }
  return { ...slotReading(label, id, isCell === true ? 'row' : 'line'), ...own }
}

function idIn(text: string): number | null {
  if (ofOther.test(text)) return null
  const plain = text.normalize('NFKC').replaceAll(/https?:\/\/\S+/gi, ' ')
  const [id, another] = new Set(plain.match(long)?.map(Number))
  const isId = id !== undefined && another === undefined && id <= LARGEST_LIKELY_ID && !isRound(id)
  return isId ? id : null
}
