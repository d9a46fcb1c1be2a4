import * as texts from '#texts/round'
import { useMemo } from 'preact/hooks'
import { compareDrafts, type DraftContent } from '../../pool/draft-comparison.ts'
import { filledSlots } from '../../pool/round-fields.ts'
import { changeOf, Differences, slotsOfChanges, useBeatmapsOf } from '../history/differences.tsx'
import { LookNote } from '../pool/look-note.tsx'
import { draftWords } from './draft-versions.ts'
import '../style/history.css'

type DraftChangesProps = {
  readonly slug: string
  readonly from: DraftContent
  readonly to: DraftContent
}

/** What changes from one state of a draft to another. */
export function DraftChanges({ slug, from, to }: DraftChangesProps) {
  const change = useMemo(() => {
    const { buckets, slots } = to
    return changeOf(compareDrafts(from, to), { buckets, slots: filledSlots(slots) })
  }, [from, to])
  const beatmaps = useBeatmapsOf([change], undefined, slug)
  const { length } = change.differences
  return (
    <>
      <h3 class="restore-note">
        {length === 0 ? texts.nothingDiffers : texts.differences({ n: length })}
      </h3>
      <LookNote slots={slotsOfChanges([change], beatmaps)} beatmaps={beatmaps} />
      <Differences change={change} beatmaps={beatmaps} wordsOf={draftWords} isDraft isWhole />
    </>
  )
}
