import * as texts from '#texts/pool'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import type { Bucket } from '../../contract/pools.ts'
import { isCustom } from '../../pool/slots.ts'
import { formatStars } from '../format.ts'
import { beatmapHref, pageData } from '../page-data.ts'
import { Icon, Mark } from '../parts/icons.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { StarBadge } from '../parts/stars.tsx'
import type { BeatmapView } from './beatmaps.ts'
import { shownStars, type SlotView } from './slots.ts'
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
  NM: texts.noModBucket,
  HD: texts.hiddenBucket,
  HR: texts.hardRockBucket,
  DT: texts.doubleTimeBucket,
  FM: texts.freeModBucket,
  TB: texts.tiebreakerBucket,
}

/** What a bucket is, in words: `Hidden`, `HD + DT`, `Free mods`; empty where only its code is known. */
export function bucketMeaning(bucket: Bucket | null): string {
  if (bucket === null) return texts.noBucket
  if (!isCustom(bucket)) return names[bucket.code] ?? ''
  if (bucket.mods === undefined) return ''
  return bucket.mods.kind === 'free' ? texts.freeModsBucket : bucket.mods.set.join(' + ')
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
  const [n, mods] = [forced.length, forced.join('')]
  const shown = {
    stars: (
      <>
        <span aria-hidden="true">★</span> {stars}
      </>
    ),
    read,
  }
  return rating.noRating ? (
    <span class="plain-stars" title={texts.noRating({ n, mods, stars })}>
      {texts.starsWithoutRating({ ...shown, n, mods })}
    </span>
  ) : (
    <span class="plain-stars" title={texts.ratingToCome({ mods })}>
      {texts.starsWithoutMods(shown)}
    </span>
  )
}

const read = (children: ComponentChildren) => <span class="sr-only">{children}</span>

/** The cover of a beatmap; a placeholder of the same size while, or where, there is none. */
export function Cover({ beatmap }: { beatmap: BeatmapView }) {
  const [failed, setFailed] = useState<string | null>(null)
  const url =
    beatmap.state === 'known' && beatmap.details.setId > 0
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
  const title =
    beatmap.state === 'known'
      ? shownText(beatmap.details.title)
      : texts.beatmapById({ id: String(id) })
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
          title={texts.openOnPlatform}
          aria-label={texts.onPlatform({ map: title })}
        >
          <Icon name="external" />
        </a>
        {beatmap.state !== 'gone' && (
          <a
            class="beatmap-platform"
            href={`osu://b/${id}`}
            title={texts.openInGame}
            aria-label={texts.inGame({ map: title })}
          >
            <Icon name="play" />
          </a>
        )}
      </span>
      {beatmap.state === 'known' && <Credits {...beatmap.details} />}
      {beatmap.state === 'gone' && (
        <span class="beatmap-more">
          <span>{texts.notOnPlatform}</span>
        </span>
      )}
      {beatmap.state === 'pending' && (
        <span class="beatmap-more">
          <span class="sr-only">{texts.isLoading}</span>
          <span class="blank words-blank" />
        </span>
      )}
    </span>
  )
}

const Credits = ({ artist, difficulty, mapper }: BeatmapDetails) => (
  <span
    class="beatmap-more"
    title={texts.creditsOnOneLine({
      artist,
      difficulty,
      mapper,
    })}
  >
    {texts.credits({
      artist: (
        <span>
          <PersonText text={artist} />
        </span>
      ),
      difficulty: <PersonText text={difficulty} />,
      mapper: <PersonText text={mapper} />,
      song: (children) => <span class="beatmap-song">{children}</span>,
      level: (children) => <span class="beatmap-difficulty">{children}</span>,
      maker: (children) => <span class="beatmap-mapper">{children}</span>,
      read,
    })}
  </span>
)
