import * as words from '#texts/common'
import * as texts from '#texts/pool-page'
import { pageData } from '../page-data.ts'
import { Button } from '../parts/buttons.tsx'
import { CopyButton } from '../parts/copying.tsx'
import '../style/pack-key-card.css'
import '../style/side-card.css'

/** A pack key, to be copied as it is or as a link, whose fragment is not sent to the site. */
export const PackKeyCard = ({ packKey }: { packKey: string }) => (
  <section class="side-card" aria-labelledby="pack-key-title">
    <h2 id="pack-key-title">{texts.packKey}</h2>
    <p class="side-note">{texts.packKeyMeans}</p>
    <code class="key-text" tabIndex={0}>
      {packKey}
    </code>
    <p class="actions">
      <CopyButton
        text={packKey}
        copied={words.packKeyCopied}
        label={texts.copyKey}
        tone="primary"
      />
      <CopyButton
        text={`${pageData().siteUrl}/k#${packKey}`}
        copied={texts.packKeyLinkCopied}
        label={texts.copyAsLink}
      />
    </p>
  </section>
)

/** The id of the column with the pack key and the downloads. */
export const SIDE_ID = 'pack-side'

/** Leads to the pack key and the downloads where they come after the long list: on a phone. */
export const SideJump = ({ label = texts.mapsAndDownloads }) => (
  <span class="side-jump">
    <Button icon="download" onClick={() => goTo(SIDE_ID, 'start')}>
      <span class="side-jump-words">{label}</span>
    </Button>
  </span>
)

type LinksCardProps = { links: readonly (readonly [name: string, url: string])[] }

/** Addresses to be copied. */
export const LinksCard = ({ links }: LinksCardProps) => (
  <section class="side-card" aria-labelledby="links-title">
    <h2 id="links-title">{texts.links}</h2>
    <ul class="side-list" role="list">
      {links.map(([name, url]) => (
        <li key={name}>
          <span class="side-words">
            {name}
            <span class="side-note side-cut">{url.replace(/^https?:\/\//, '')}</span>
          </span>
          <CopyButton
            text={url}
            name={texts.copyNamedLink({ name })}
            copied={texts.namedLinkCopied({ name })}
            tone="quiet"
          />
        </li>
      ))}
    </ul>
  </section>
)

export function goTo(id: string, block: ScrollLogicalPosition): void {
  const target = document.getElementById(id)
  target?.focus({ preventScroll: true })
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  target?.scrollIntoView({ block, behavior: isCalm ? 'auto' : 'smooth' })
}
