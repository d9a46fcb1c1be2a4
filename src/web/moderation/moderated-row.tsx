import type { ComponentChildren, JSX } from 'preact'
import type { ModeratedPack } from '../../contract/moderation.ts'
import { isolate } from '../../pool/text.ts'
import { formatDay, formatShortDay } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { shownText, VisibilityChip } from '../parts/labels.tsx'
import { PackState } from './pack-state.tsx'
import { rowId } from './use-focus-later.ts'
import { hidingOf, mayBePinned, pinningOf } from './verdicts.ts'

type Props = {
  readonly pack: ModeratedPack
  /** Tab comes to this row. */
  readonly isCurrent: boolean
  readonly isDragged: boolean
  readonly style: { readonly transform: string } | undefined
  readonly onFocus: () => void
  readonly onHide: () => void
  readonly onPin: () => void
  /** Its place, where rows have one. */
  readonly children: ComponentChildren
}

const words = { hide: 'Hide', unhide: 'Unhide', pin: 'Pin', unpin: 'Unpin' } as const

/** One pack: what it is, whose, how it stands, and what can be decided. */
export const ModeratedRow = ({ pack, isCurrent, isDragged, ...props }: Props): JSX.Element => {
  const { slug, name, ownerName, ownerGameId, visibility, updatedAt } = pack
  const tabIndex = isCurrent ? 0 : -1
  const pinning = words[pinningOf(pack)]
  const hiding = words[hidingOf(pack)]
  return (
    <div
      id={rowId(slug)}
      class={isDragged ? 'moderated-row dragged' : 'moderated-row'}
      role="row"
      aria-keyshortcuts="H P"
      style={props.style}
      onFocusIn={props.onFocus}
    >
      {props.children}
      <span role="gridcell" class="moderated-name">
        <a href={`/p/${slug}`} dir="auto" tabIndex={tabIndex} data-column="name">
          {shownText(name)}
        </a>
      </span>
      <span role="gridcell" class="moderated-owner" dir="auto">
        <span class="sr-only" dir="ltr">
          by{' '}
        </span>
        <span title={ownerGameId === null ? undefined : `Player ${ownerGameId}`}>
          {shownText(ownerName)}
        </span>
      </span>
      <span role="gridcell" class="moderated-seen">
        <VisibilityChip visibility={visibility} />
      </span>
      <span role="gridcell" class="moderated-state">
        <PackState pack={pack} />
      </span>
      <span role="gridcell" class="moderated-updated">
        <time dateTime={updatedAt} title={`Updated ${formatDay(updatedAt)}`}>
          <span class="sr-only">updated </span>
          {formatShortDay(updatedAt)}
        </time>
      </span>
      <span role="gridcell" class="moderated-acts">
        {(mayBePinned(pack) || pack.isPinned) && (
          <Button
            icon="pin"
            tabIndex={tabIndex}
            data-column="pin"
            aria-label={`${pinning} ${isolate(name)}`}
            onClick={props.onPin}
          >
            {pinning}
          </Button>
        )}
        <Button
          icon="hidden"
          tabIndex={tabIndex}
          data-column="hide"
          aria-label={`${hiding} ${isolate(name)}`}
          onClick={props.onHide}
        >
          {hiding}
        </Button>
      </span>
    </div>
  )
}
