import type { JSX } from 'preact'
import { Button } from '../parts/button.tsx'
import '../style/side-card.css'

/** The id of the column with the pack key and the downloads. */
export const SIDE_ID = 'pack-side'

/** Scrolls to an element and gives it the focus. */
export const goTo = (id: string, block: ScrollLogicalPosition): void => {
  const target = document.getElementById(id)
  target?.focus({ preventScroll: true })
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  target?.scrollIntoView({ block, behavior: isCalm ? 'auto' : 'smooth' })
}

/** Leads to the pack key and the downloads where they come after the long list: on a phone. */
export const SideJump = (): JSX.Element => (
  <span class="side-jump">
    <Button icon="download" onClick={() => goTo(SIDE_ID, 'start')}>
      Key and downloads
    </Button>
  </span>
)
