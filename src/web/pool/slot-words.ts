import * as texts from '#texts/pool'
import type { SlotDetails } from '../../contract/rounds.ts'
import type { SlotFilling } from '../../pool/round-fields.ts'
import { join } from '../format.ts'

/** As the game writes a difficulty, `Artist - Title [Difficulty]`, with its mapper, of what is known. */
export function detailsText({ artist, title, difficulty, mapper }: SlotDetails): string {
  const song = [artist, title].filter(Boolean).join(' - ')
  const map = [song, difficulty && `[${difficulty}]`].filter(Boolean).join(' ')
  if (!mapper) return map
  return map === '' ? texts.byMapper({ mapper }) : texts.mapByMapper({ map, mapper })
}

type Texts = { readonly [F in keyof SlotFilling]-?: (value: NonNullable<SlotFilling[F]>) => string }

/** In the order in which they are listed. */
const fieldTexts: Texts = {
  beatmapId: String,
  placeholder: (text) => texts.noteInQuotes({ text }),
  details: detailsText,
  link: String,
}

/** What is in a slot, in the language of the page. */
export function slotText(slot: SlotFilling): string {
  const parts = Object.entries(fieldTexts).flatMap(([field, text]) => {
    const value = slot[field as keyof SlotFilling]
    return value === undefined ? [] : (text as (value: unknown) => string)(value)
  })
  return parts.length === 0 ? texts.holdsNothing : join(parts, 'unit')
}
