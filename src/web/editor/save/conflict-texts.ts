import * as texts from '#texts/history'
import type { Difference } from '../../../contract/history.ts'
import type { Slot } from '../../../contract/pools.ts'
import type { DifferenceWords } from '../../../pool/difference-words.ts'
import { slotLabel } from '../../../pool/slots.ts'
import { packWords } from '../../history/difference-texts.ts'
import { visibilityWords } from '../../parts/labels.tsx'

type Known = {
  readonly nameOf: (beatmapId: number) => string
  /** The slots before, by which a beatmap that was moved gets its name. */
  readonly before: readonly Slot[]
}

/** A difference of packs and its two states, in the language of the page; a beatmap that was moved is called by its name. */
export function conflictTexts(difference: Difference, { nameOf, before }: Known): DifferenceWords {
  switch (difference.kind) {
    case 'filled':
      return { what: placeText(difference.at), from: null, to: nameOf(difference.to) }
    case 'emptied':
      return { what: placeText(difference.at), from: nameOf(difference.from), to: null }
    case 'replaced': {
      const { at, from, to } = difference
      return { what: placeText(at), from: nameOf(from), to: nameOf(to) }
    }
    case 'moved': {
      const { from, to } = difference
      const slot = before.find((each) => slotLabel(each) === from)
      const what = slot === undefined ? '' : nameOf(slot.beatmapId)
      return { what, from: placeText(from), to: placeText(to) }
    }
    case 'visibility': {
      const { from, to } = difference
      return {
        what: texts.visibility,
        from: visibilityWords[from][0],
        to: visibilityWords[to][0],
      }
    }
    default:
      return packWords(difference)
  }
}

const placeText = (label: string): string =>
  /^[0-9]+$/.test(label) ? texts.placeOfNone({ number: label }) : label
