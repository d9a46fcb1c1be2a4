import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Bucket } from '../../contract/pools.ts'
import { isCustom } from '../../pool/buckets.ts'
import { formatStars } from '../format.ts'
import { pageData } from '../page-data.ts'
import { Mark } from '../parts/icons.tsx'
import { ModChip } from '../parts/labels.tsx'
import { StarBadge } from '../parts/stars.tsx'
import type { BeatmapView } from './beatmaps.ts'
import { shownStars, type SlotView } from './slots.ts'
import '../style/slot-table.css'
import '../style/cover.css'

/** A bucket of either kind in its colour. */
export const BucketChip = ({ bucket }: { readonly bucket: Bucket }): JSX.Element =>
  isCustom(bucket) ? (
    <span class="chip" data-color={bucket.color}>
      {bucket.code}
    </span>
  ) : (
    <ModChip code={bucket.code} />
  )

/**
 * Attributes that bring a bucket's colour to an element as `--color`, and as `--mark` for what
 * stands on the ground by itself (`chips.css`): `<g {...bucketColor(bucket)} />`.
 */
export const bucketColor = (
  bucket: Bucket | null,
): { readonly 'data-mod': string } | { readonly 'data-color': number } =>
  bucket !== null && isCustom(bucket)
    ? { 'data-color': bucket.color }
    : { 'data-mod': bucket?.code ?? '' }

const names: Readonly<Record<string, string>> = {
  NM: 'No mod',
  HD: 'Hidden',
  HR: 'Hard Rock',
  DT: 'Double Time',
  FM: 'Free mod',
  TB: 'Tiebreaker',
}

/** What a bucket is, in words: `Hidden`, `HD + DT`, `free mods`; empty where its code says it all. */
export function bucketMeaning(bucket: Bucket | null): string {
  if (bucket === null) return 'No bucket'
  if (!isCustom(bucket)) return names[bucket.code] ?? ''
  if (bucket.mods === undefined) return ''
  return bucket.mods.kind === 'free' ? 'Free mods' : bucket.mods.set.join(' + ')
}

/** Codes up to here fit wherever a label stands. */
const SHORT = 4

/** `NM1` in its bucket's colour. Of a long code the end is cut, never the number. */
export function SlotLabel({ slot }: { readonly slot: SlotView }): JSX.Element {
  const code = slot.slot.mod ?? ''
  return (
    <span class="chip slot-chip" title={slot.label} {...bucketColor(slot.bucket)}>
      {code.length <= SHORT ? (
        slot.label
      ) : (
        <>
          <span>{code}</span>
          <span>{slot.label.slice(code.length)}</span>
        </>
      )}
    </span>
  )
}

/**
 * A slot's stars with its mods. Where only the rating without mods is known, that one, marked as
 * such; a placeholder while nothing is known.
 */
export function SlotStars({ slot }: { readonly slot: SlotView }): JSX.Element {
  const rating = shownStars(slot)
  if (rating === null) {
    return slot.beatmap.state === 'gone' ? (
      <span class="quiet-text">–</span>
    ) : (
      <span class="blank stars-blank" />
    )
  }
  if (!rating.isPlain) return <StarBadge stars={rating.stars} />
  const why = `Rating without mods. The rating with ${slot.forced.join('')} is not available yet.`
  return (
    <span class="plain-stars" title={why}>
      <span aria-hidden="true">★</span> {formatStars(rating.stars)}
      <span class="sr-only"> stars without mods</span>
    </span>
  )
}

/** The cover of a beatmap; a quiet placeholder of the same size while, or where, there is none. */
export function Cover({ beatmap }: { readonly beatmap: BeatmapView }): JSX.Element {
  const url = beatmap.state === 'known' ? coverUrl(beatmap.details.setId) : null
  const [failed, setFailed] = useState<string | null>(null)
  return (
    <span class="cover">
      {url === null || failed === url ? (
        <Mark />
      ) : (
        <img
          key={url}
          src={url}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setFailed(url)}
        />
      )}
    </span>
  )
}

const coverUrl = (setId: number): string =>
  `${pageData().coversUrl}/beatmaps/${setId}/covers/list.jpg`
