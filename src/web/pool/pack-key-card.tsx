import type { JSX } from 'preact'
import { pageData } from '../page-data.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import '../style/pack-key-card.css'
import '../style/side-card.css'

/** The address under which anybody can open a key; what stands behind `#` is sent to nobody. */
export const keyLink = (packKey: string): string => `${pageData().siteUrl}/k#${packKey}`

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
