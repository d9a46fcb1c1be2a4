import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { pageData } from '../page-data.ts'
import { Mark } from '../parts/mark.tsx'
import type { BeatmapView } from './beatmap-book.ts'
import '../style/cover.css'

/** A set's small cover, from wherever covers come from. */
export const coverUrl = (setId: number): string =>
  `${pageData().coversUrl}/beatmaps/${setId}/covers/list.jpg`

/** The cover of a beatmap; a quiet placeholder of the same size while, or where, there is none. */
export const Cover = ({ beatmap }: { readonly beatmap: BeatmapView }): JSX.Element => {
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
