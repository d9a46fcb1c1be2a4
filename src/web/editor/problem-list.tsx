import type { JSX } from 'preact'
import type { EditProblem, Spot } from './problems.ts'

type Props = {
  readonly problems: readonly EditProblem[]
  readonly goTo: (spot: Spot) => void
}

/** Everything that keeps the pack from being saved; each leads to its place. */
export const ProblemList = ({ problems, goTo }: Props): JSX.Element | null =>
  problems.length === 0 ? null : (
    <section class="side-card edit-problems" aria-labelledby="problems-title">
      <h2 id="problems-title">
        {problems.every(({ isMissing }) => isMissing) ? 'Required' : 'Fix before saving'}
      </h2>
      <ul role="list">
        {problems.map(({ spot, text }, at) => (
          <li key={at}>
            <button type="button" class="edit-link" onClick={() => goTo(spot)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
