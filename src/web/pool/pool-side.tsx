import type { JSX } from 'preact'
import { pageData } from '../page-data.ts'
import { Button } from '../parts/buttons.tsx'
import { CopyButton } from '../parts/copying.tsx'
import '../style/pack-key-card.css'
import '../style/side-card.css'

/** A pack key, to be copied as it is or as a link. */
export const PackKeyCard = ({ packKey }: { readonly packKey: string }): JSX.Element => (
  <section class="side-card" aria-labelledby="pack-key-title">
    <h2 id="pack-key-title">Pack key</h2>
    <p class="side-note">
      The whole pool in one line of text. Anyone can open it without an account.
    </p>
    <code class="key-text" tabIndex={0}>
      {packKey}
    </code>
    <p class="actions">
      <CopyButton text={packKey} what="pack key" label="Copy key" tone="primary" />
      <CopyButton text={keyLink(packKey)} what="pack key link" label="Copy as link" />
    </p>
  </section>
)

/** The address under which anybody can open a key; what stands behind `#` is sent to nobody. */
const keyLink = (packKey: string): string => `${pageData().siteUrl}/k#${packKey}`

/** The id of the column with the pack key and the downloads. */
export const SIDE_ID = 'pack-side'

/** Leads to the pack key and the downloads where they come after the long list: on a phone. */
export const SideJump = (): JSX.Element => (
  <span class="side-jump">
    <Button icon="download" onClick={() => goTo(SIDE_ID, 'start')}>
      Key and downloads
    </Button>
  </span>
)

/** Scrolls to an element and gives it the focus. */
export function goTo(id: string, block: ScrollLogicalPosition): void {
  const target = document.getElementById(id)
  target?.focus({ preventScroll: true })
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  target?.scrollIntoView({ block, behavior: isCalm ? 'auto' : 'smooth' })
}
