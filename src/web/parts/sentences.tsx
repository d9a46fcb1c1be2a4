import type { ComponentChildren } from 'preact'
import { formatSentences } from '../format.ts'

/** Between two sentences in the page's language: nothing where it has no space there. */
const between = formatSentences(['', ''])

type SentencesProps = {
  /** `null` and `false` are left out. */
  readonly of: readonly ComponentChildren[]
}

/** Whole sentences one after another, and links after them. */
export const Sentences = ({ of }: SentencesProps) => (
  <>
    {of
      .filter((each) => each !== null && each !== undefined && each !== false)
      .flatMap((each, at) => (at === 0 ? [[each]] : [between, [each]]))}
  </>
)
