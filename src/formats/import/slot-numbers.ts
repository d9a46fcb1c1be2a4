import { foldCode } from '../../pool/slots.ts'
import { asked, type Finding, type SlotReading } from './readings.ts'

/** Fewer show nothing. */
const LEAST_SLOTS = 4

/**
 * The slots of each round with their numbers as hosts count them. Files of programs count from 0, which is no number of a
 * slot, and some count through the whole pool, which is asked: HD5 may be the fifth beatmap and HD1.
 */
export function countSlots(findings: readonly Finding[]): readonly Finding[] {
  const rounds: Counted[][] = [[]]
  for (const [at, { reading, round }] of findings.entries()) {
    if (round !== undefined) rounds.push([])
    const counted = reading.kind === 'slot' ? countedOf(reading, at) : null
    if (counted !== null) rounds.at(-1)!.push(counted)
  }
  const changed = rounds.flatMap(changesOf)
  return changed.length === 0
    ? findings
    : changed.reduce(
        (all, [at, finding]) => ((all[at] = { ...all[at]!, reading: finding }), all),
        [...findings],
      )
}

type Counted = {
  readonly at: number
  readonly reading: SlotReading
  readonly code: string
  readonly index: number
}

/** A slot whose code and number are in two fields or cells. */
function countedOf(reading: SlotReading, at: number): Counted | null {
  const { code = null, index = null } = reading.label ?? {}
  const isApart = reading.rule === 'fields' || reading.isSplit === true
  return isApart && code !== null && index !== null ? { at, reading, code, index } : null
}

function changesOf(slots: readonly Counted[]): (readonly [at: number, Finding['reading']])[] {
  const [first] = slots
  if (slots.length < LEAST_SLOTS || first === undefined || first.index > 1) return []
  const last = new Map<string, number>()
  const own = slots.map(({ code }) => {
    const place = (last.get(foldCode(code)) ?? 0) + 1
    last.set(foldCode(code), place)
    return place
  })
  const within = ({ reading, code }: Counted, at: number): SlotReading => {
    return { ...reading, label: { code, index: own[at]! } }
  }
  if (slots.every(({ index }, at) => index === own[at]! - 1)) {
    const note = 'The slots of this file are counted from 0; their numbers are one higher here.'
    return slots.map((slot, at) => {
      return [slot.at, { ...within(slot, at), ...(at === 0 && { note }) }] as const
    })
  }
  const isThrough = last.size > 1 && slots.every(({ index }, at) => index === first.index + at)
  const moved = slots.find(({ index }, at) => index !== own[at])
  if (!isThrough || moved === undefined) return []
  const named = slots.findLast(({ index }, at) => index !== own[at])!
  const label = (index: number): string => `${named.code}${index}`
  return slots.map((slot, at) => {
    const choices = [
      [`They count through the pool: it is ${label(own[slots.indexOf(named)]!)}`, within(slot, at)],
      [`They count in their bucket: it is ${label(named.index)}`, slot.reading],
    ] as const
    const question = `The numbers of the slots go on from bucket to bucket, up to ${label(named.index)}. What do they count?`
    return [slot.at, asked(question, choices, `count ${first.at}`)] as const
  })
}
