import * as texts from '#texts/browse'
import { MAX_SLOTS } from '../../contract/bounds.ts'
import type { Span, SpanName } from '../../contract/pack-filter.ts'
import { formatBpm, formatLength, formatNumber, formatTenths } from '../format.ts'

/** What a slider goes over. A thumb at an end of it sets no bound. */
export type Scale = {
  readonly min: number
  readonly max: number
  readonly step: number
  /** Bars of the histogram; the outer two hold what is beyond the scale. */
  readonly bins: number
  readonly format: (value: number) => string
}

export const scales: Readonly<Record<SpanName, Scale>> = {
  stars: { min: 0, max: 10, step: 0.1, bins: 40, format: formatTenths },
  length: { min: 0, max: 600, step: 15, bins: 40, format: formatLength },
  bpm: { min: 60, max: 360, step: 5, bins: 30, format: formatBpm },
  beatmaps: { min: 1, max: MAX_SLOTS, step: 1, bins: 32, format: formatNumber },
}

export function binOf({ min, max, bins }: Scale, value: number): number {
  const bin = Math.floor(((value - min) / (max - min)) * bins)
  return Math.min(Math.max(bin, 0), bins - 1)
}

export const thumbsOf = ({ min, max }: Scale, [low, high]: Span): readonly [number, number] => [
  Math.min(Math.max(low ?? min, min), max),
  Math.min(Math.max(high ?? max, min), max),
]

export const spanOf = ({ min, max }: Scale, low: number, high: number): Span => [
  low <= min ? null : low,
  high >= max ? null : high,
]

/** `5.0 – 6.5`, `up to 4:00`, `from 180`, `any`. */
export function describeSpan({ format }: Scale, [low, high]: Span): string {
  if (low === null) return high === null ? texts.any : texts.upTo({ value: format(high) })
  if (high === null) return texts.from({ value: format(low) })
  return low === high ? format(low) : `${format(low)} – ${format(high)}`
}
