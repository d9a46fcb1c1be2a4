import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { DocsMenu } from './docs-menu.tsx'
import type { Guide } from './guide.ts'
import { GuideView } from './guide-view.tsx'
import { useReadingPlace } from './use-reading-place.ts'
import '../style/docs.css'

type Props = { readonly path: string; readonly guide: Guide }

/** A guide with its contents at the side. */
export const GuidePage = ({ path, guide }: Props): JSX.Element => {
  const headings = useMemo(() => guide.blocks.filter((block) => block.kind === 'heading'), [guide])
  const ids = useMemo(() => headings.map(({ id }) => id), [headings])
  const place = useReadingPlace(ids)
  const parts = headings.map(({ id, text, level }) => ({ href: `#${id}`, text, level }))
  return (
    <div class="docs">
      <DocsMenu here={path} parts={parts} place={place === null ? null : `#${place}`} />
      <main id="main">
        <GuideView guide={guide} />
      </main>
    </div>
  )
}
