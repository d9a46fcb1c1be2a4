import type { JSX } from 'preact'
import { isolate } from '../../pool/text.ts'
import { PersonText, shownText } from '../parts/person-text.tsx'
import type { BeatmapView } from './beatmap-book.ts'
import { beatmapLink } from './platform-links.ts'
import '../style/slot-table.css'

type Props = { readonly id: number; readonly beatmap: BeatmapView }

/** Title, artist, difficulty and mapper of a beatmap in two lines; its id leads on from the start. */
export const BeatmapWords = ({ id, beatmap }: Props): JSX.Element => (
  <span class="beatmap-words">
    <a class="beatmap-title" dir="auto" href={beatmapLink(id)} target="_blank" rel="noreferrer">
      {beatmap.state === 'known' ? shownText(beatmap.details.title) : `Beatmap ${id}`}
    </a>
    <More beatmap={beatmap} />
  </span>
)

const More = ({ beatmap }: Pick<Props, 'beatmap'>): JSX.Element => {
  if (beatmap.state === 'gone') {
    return (
      <span class="beatmap-more">
        <span>Not found on the game platform</span>
      </span>
    )
  }
  if (beatmap.state === 'pending') {
    return (
      <span class="beatmap-more">
        <span class="sr-only">loading</span>
        <span class="blank words-blank" />
      </span>
    )
  }
  const { artist, difficulty, mapper } = beatmap.details
  return (
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
}
