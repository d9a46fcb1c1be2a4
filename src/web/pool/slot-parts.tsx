import { useEffect, useRef, useState } from 'preact/hooks'
import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import type { Bucket } from '../../contract/pools.ts'
import { isCustom } from '../../pool/slots.ts'
import { isolate } from '../../pool/text.ts'
import { formatStars } from '../format.ts'
import { beatmapHref, pageData } from '../page-data.ts'
import { Icon, Mark } from '../parts/icons.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { StarBadge } from '../parts/stars.tsx'
import type { BeatmapView } from './beatmaps.ts'
import { noRatingWords, shownStars, type SlotView } from './slots.ts'
import '../style/slot-table.css'
import '../style/cover.css'

export const BucketChip = ({ bucket }: { bucket: Bucket }) => (
  <span class="chip" {...bucketColor(bucket)}>
    {bucket.code}
  </span>
)

/** Brings a bucket's colour to an element, as `--color` and `--mark`: `<g {...bucketColor(b)} />`. */
export const bucketColor = (bucket: Bucket | null) =>
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

/** What a bucket is, in words: `Hidden`, `HD + DT`, `Free mods`; empty where only its code is known. */
export function bucketMeaning(bucket: Bucket | null): string {
  if (bucket === null) return 'No bucket'
  if (!isCustom(bucket)) return names[bucket.code] ?? ''
  if (bucket.mods === undefined) return ''
  return bucket.mods.kind === 'free' ? 'Free mods' : bucket.mods.set.join(' + ')
}

/** Whether a code has more than the four letters that fit on one line everywhere; those of wide scripts count twice. */
export const isLongCode = (code: string): boolean =>
  Array.from(code).reduce((sum, letter) => sum + (letter > '\u02ff' ? 2 : 1), 0) > 4

/** `NM1` in its bucket's colour, whole: a code that is longer than its column wraps. */
export const SlotLabel = ({ slot: { bucket, label } }: { slot: SlotView }) => (
  <span class="chip slot-chip" title={label} {...bucketColor(bucket)}>
    {label}
  </span>
)

/** A slot's stars with its mods; else those without, marked as such; else a placeholder. */
export function SlotStars({ slot: { beatmap, forced } }: { slot: SlotView }) {
  const rating = shownStars({ beatmap })
  if (beatmap.state === 'gone') return <span class="quiet-text">–</span>
  if (rating === null) return <span class="blank stars-blank" />
  if (!rating.isPlain) return <StarBadge stars={rating.stars} mods={forced.join('')} />
  const stars = formatStars(rating.stars)
  const words = rating.noRating ? ` stars${noRatingWords(forced)}` : ' stars without mods'
  const why = rating.noRating
    ? stars + words
    : `Rating without mods. The rating with ${forced.join('')} is not available yet.`
  return (
    <span class="plain-stars" title={why}>
      <span aria-hidden="true">★</span> {stars}
      <span class="sr-only">{words}</span>
    </span>
  )
}

/** The cover of a beatmap; a placeholder of the same size while, or where, there is none. */
export function Cover({ beatmap }: { beatmap: BeatmapView }) {
  const [failed, setFailed] = useState<string | null>(null)
  const url =
    beatmap.state === 'known'
      ? `${pageData().coversUrl}/beatmaps/${beatmap.details.setId}/covers/list.jpg`
      : null
  const image = useRef<HTMLImageElement>(null)
  // That of the server may have failed before this script came.
  useEffect(() => {
    const { complete = false, naturalWidth = 0 } = image.current ?? {}
    if (complete && naturalWidth === 0) setFailed(url)
  }, [url])
  return (
    <span class="cover">
      {url === null || failed === url ? (
        <Mark />
      ) : (
        <img
          ref={image}
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

type BeatmapWordsProps = {
  readonly id: number
  readonly beatmap: BeatmapView
  /** The page of a beatmap is there only if a public pack has it (D-74). */
  readonly isDraft?: boolean
}

/** A beatmap in words: its title, which leads to where it was pooled, unless a draft has it, and who made it. */
export function BeatmapWords({ id, beatmap, isDraft = false }: BeatmapWordsProps) {
  const title = beatmap.state === 'known' ? shownText(beatmap.details.title) : `Beatmap ${id}`
  return (
    <span class="beatmap-words">
      <span class="beatmap-line">
        <a class="beatmap-title" dir="auto" {...(!isDraft && { href: beatmapHref(id) })}>
          {title}
        </a>
        <a
          class="beatmap-platform"
          href={`https://osu.ppy.sh/beatmaps/${id}`}
          target="_blank"
          rel="noreferrer"
          title="Open on the game platform"
          aria-label={`${title} on the game platform`}
        >
          <Icon name="external" />
        </a>
        {beatmap.state !== 'gone' && (
          <a
            class="beatmap-platform"
            href={`osu://b/${id}`}
            title="Open in the game"
            aria-label={`${title} in the game`}
          >
            <Icon name="play" />
          </a>
        )}
      </span>
      {beatmap.state === 'known' && <Credits {...beatmap.details} />}
      {beatmap.state === 'gone' && (
        <span class="beatmap-more">
          <span>Not found on the game platform</span>
        </span>
      )}
      {beatmap.state === 'pending' && (
        <span class="beatmap-more">
          <span class="sr-only">loading</span>
          <span class="blank words-blank" />
        </span>
      )}
    </span>
  )
}

const Credits = ({ artist, difficulty, mapper }: BeatmapDetails) => (
  <span
    class="beatmap-more"
    title={`${isolate(artist)} [${isolate(difficulty)}] by ${isolate(mapper)}`}
  >
    <span class="beatmap-song">
      <span>
        <PersonText text={artist} />
      </span>
      <span class="beatmap-difficulty">
        <span class="sr-only">, difficulty </span>[<PersonText text={difficulty} />]
      </span>
    </span>
    <span class="beatmap-mapper">
      <span class="sr-only">, made </span>by <PersonText text={mapper} />
    </span>
  </span>
)
