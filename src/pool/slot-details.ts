import type { RoundSlot, SlotDetails } from '../contract/rounds.ts'

// What is known of a beatmap without an id, in words (D-77).

/** As the game writes a difficulty: `Artist - Title [Difficulty] by mapper`, of what is known. */
export function detailsWords({ artist, title, difficulty, mapper }: SlotDetails): string {
  const song = [artist, title].filter((part) => part !== undefined).join(' - ')
  return [song, difficulty && `[${difficulty}]`, mapper && `by ${mapper}`].filter(Boolean).join(' ')
}

/** What is planned for a slot without a beatmap, for people; empty if nothing is. */
export const plannedWords = ({
  placeholder,
  details = {},
}: Pick<RoundSlot, 'placeholder' | 'details'>): string =>
  [detailsWords(details), placeholder].filter(Boolean).join(', ')

/** As posts and wikis name what is planned, `Artist - Title (Mapper) [Difficulty], text`; empty if nothing is. */
export function postedWords({
  placeholder,
  details = {},
}: Pick<RoundSlot, 'placeholder' | 'details'>): string {
  const { artist, title, mapper, difficulty } = details
  const song = [artist, title].filter((part) => part !== undefined).join(' - ')
  const map = [song, mapper && `(${mapper})`, difficulty && `[${difficulty}]`]
  return [map.filter(Boolean).join(' '), placeholder].filter(Boolean).join(', ')
}
