import { useMemo } from 'preact/hooks'
import type { Edit } from './edit.ts'
import { type EditProblem, problemsOf, type Spot } from './problems.ts'
import { stillStands } from './save/refusal.ts'
import type { SaveState } from './save/save-state.ts'

/** What keeps an edit from being saved, and how to find it by its place. */
export type Problems = {
  readonly all: readonly EditProblem[]
  /** In one line; null when there is nothing. */
  readonly summary: string | null
  readonly bySlot: ReadonlyMap<number, string>
  readonly byBucket: ReadonlyMap<string, string>
  readonly at: (kind: Spot['kind']) => EditProblem | undefined
}

const summaryOf = (all: readonly EditProblem[]): string | null => {
  const [first] = all
  if (first === undefined) return null
  if (all.length === 1) return first.text
  return all.every(({ isMissing }) => isMissing)
    ? 'Add a name and a beatmap to save.'
    : `Fix ${all.length} problems to save`
}

/** What our own rules find, and what the site has refused and still stands there. */
export const useProblems = (edit: Edit, state: SaveState): Problems =>
  useMemo(() => {
    const refusal =
      state.phase === 'refused' && stillStands(state.refusal, edit) ? state.refusal : null
    const all = [...problemsOf(edit), ...(refusal === null ? [] : [refusal.problem])]
    return {
      all,
      summary: summaryOf(all),
      bySlot: new Map(
        all.flatMap(({ spot, text }) => (spot.kind === 'slot' ? [[spot.key, text]] : [])),
      ),
      byBucket: new Map(
        all.flatMap(({ spot, text }) => (spot.kind === 'bucket' ? [[spot.code, text]] : [])),
      ),
      at: (kind) => all.find(({ spot }) => spot.kind === kind),
    }
  }, [edit, state])
