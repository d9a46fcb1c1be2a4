import type { JSX } from 'preact'
import type { Pack } from '../../contract/packs.ts'
import { isolate } from '../../pool/text.ts'
import { pageData } from '../page-data.ts'
import { Button, CopyButton, LinkButton } from '../parts/buttons.tsx'
import { shownText, VisibilityChip } from '../parts/labels.tsx'
import { PackFacts } from '../parts/pack-rows.tsx'
import { entryOf } from './entry-of.ts'
import { HiddenNote } from './hidden-note.tsx'

type Props = { readonly pack: Pack; readonly onDelete: () => void }

/** The id of a pack's row. */
export const rowId = (slug: string): string => `pack-${slug}`

/** One of the reader's packs: what it is, who sees it, and what can be done with it. */
export const MyPackRow = ({ pack, onDelete }: Props): JSX.Element => {
  const { slug, name, visibility, description, hiddenAt } = pack
  return (
    <li id={rowId(slug)} class="pack-row my-pack">
      <span class="row-name">
        <a
          href={`/p/${slug}`}
          dir="auto"
          title={[name, description ?? ''].filter(Boolean).map(shownText).join('\n')}
        >
          {shownText(name)}
        </a>
      </span>
      <PackFacts entry={entryOf(pack)}>
        <VisibilityChip visibility={visibility} />
      </PackFacts>
      <span class="my-pack-actions">
        <LinkButton
          tone="quiet"
          icon="edit"
          aria-label={`Edit ${isolate(name)}`}
          href={`/p/${slug}/edit`}
        />
        <CopyButton
          tone="quiet"
          icon="link"
          what={`link to ${isolate(name)}`}
          text={`${pageData().siteUrl}/p/${slug}`}
        />
        <Button
          tone="quiet"
          icon="trash"
          aria-label={`Delete ${isolate(name)}`}
          onClick={onDelete}
        />
      </span>
      {hiddenAt !== undefined && <HiddenNote slug={slug} hiddenAt={hiddenAt} />}
    </li>
  )
}
