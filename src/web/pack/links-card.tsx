import type { JSX } from 'preact'
import type { SitePack } from '../../contract/packs.ts'
import { pageData } from '../page-data.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import '../style/side-card.css'

/** Where a pack can be reached. */
export const LinksCard = ({ pack }: { readonly pack: SitePack }): JSX.Element => {
  const { siteUrl, apiUrl } = pageData()
  const links = [
    ['This page', `${siteUrl}/p/${pack.slug}`],
    ['In the API', `${apiUrl}/api/v1/packs/${pack.slug}`],
  ] as const
  return (
    <section class="side-card" aria-labelledby="links-title">
      <h2 id="links-title">Links</h2>
      <ul class="side-list" role="list">
        {links.map(([name, url]) => (
          <li key={name}>
            <span class="side-words">
              {name}
              <span class="side-note side-cut">{url.replace(/^https?:\/\//, '')}</span>
            </span>
            <CopyButton text={url} what={`link: ${name}`} tone="quiet" />
          </li>
        ))}
      </ul>
    </section>
  )
}
