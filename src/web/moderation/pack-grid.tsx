import type { ComponentChildren, JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { ModeratedPack } from '../../contract/moderation.ts'
import { isolate } from '../../pool/text.ts'
import { formatDay, formatShortDay } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { Icon } from '../parts/icons.tsx'
import { PersonText, shownText, VisibilityChip } from '../parts/labels.tsx'
import { handleGridKey } from './grid-keys.ts'
import {
  hidingOf,
  mayBePinned,
  type PacksModel,
  pinningOf,
  rowId,
  SEARCH_ID,
} from './packs-model.ts'
import { usePinDrag } from './pin-drag.ts'

type PackGridProps = {
  readonly packs: readonly ModeratedPack[]
  readonly model: PacksModel
  /** The rows are the pinned row: they have an order that can be changed. */
  readonly isOrdered: boolean
}

const ROWS = '.moderated-row'

/** A grid of packs with one stop for Tab: the row that has, or last had, the focus. */
export function PackGrid({ packs, model, isOrdered }: PackGridProps): JSX.Element {
  const list = useRef<HTMLDivElement>(null)
  const [currentSlug, setCurrent] = useState<string | null>(null)
  const { draggedFrom, begin, styleOf } = usePinDrag(list, ROWS, model.movePin)
  const current = Math.max(
    0,
    packs.findIndex(({ slug }) => slug === currentSlug),
  )
  const withPack = (act: (pack: ModeratedPack) => void) => (at: number) => {
    const pack = packs[at]
    if (pack !== undefined) act(pack)
  }
  return (
    <div
      ref={list}
      class={isOrdered ? 'moderated ordered' : 'moderated'}
      role="grid"
      aria-label="Packs"
      onKeyDown={(event) =>
        handleGridKey(event, ROWS, {
          onHide: withPack(model.hiding.ask),
          onPin: withPack(model.togglePin),
          onMove: isOrdered ? model.movePin : undefined,
          onSearch: () => document.getElementById(SEARCH_ID)?.focus(),
        })
      }
    >
      <div class="moderated-head" role="row">
        {isOrdered && <span role="columnheader">Place</span>}
        <span role="columnheader">Pack</span>
        <span role="columnheader">Owner</span>
        <span role="columnheader">Visibility</span>
        <span role="columnheader">State</span>
        <span role="columnheader">Updated</span>
        <span role="columnheader">
          <span class="sr-only">Actions</span>
        </span>
      </div>
      {packs.map((pack, at) => (
        <ModeratedRow
          key={pack.slug}
          pack={pack}
          isCurrent={at === current}
          isDragged={at === draggedFrom}
          style={styleOf(at)}
          onFocus={() => setCurrent(pack.slug)}
          onHide={() => model.hiding.ask(pack)}
          onPin={() => model.togglePin(pack)}
        >
          {isOrdered && (
            <PinPlace
              name={pack.name}
              at={at}
              of={packs.length}
              isCurrent={at === current}
              onHold={(event) => begin(event, at)}
              onMove={(to) => model.movePin(at, to)}
            />
          )}
        </ModeratedRow>
      ))}
    </div>
  )
}

type ModeratedRowProps = {
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

function ModeratedRow({ pack, isCurrent, isDragged, ...props }: ModeratedRowProps): JSX.Element {
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

function PackState({ pack }: { readonly pack: ModeratedPack }): JSX.Element {
  const { hiddenAt, hiddenReason, hiddenBy, isPinned } = pack
  if (hiddenAt === undefined) {
    return isPinned ? <b>pinned</b> : <span class="quiet-text">shown</span>
  }
  return (
    <>
      <b class="hidden-mark">hidden</b>{' '}
      <span class="quiet-text">
        <time dateTime={hiddenAt}>{formatDay(hiddenAt)}</time>
        {hiddenBy !== undefined && (
          <>
            {' by '}
            <PersonText text={hiddenBy} />
          </>
        )}
      </span>
      {hiddenReason !== undefined && (
        <span class="hidden-reason" dir="auto">
          {shownText(hiddenReason)}
        </span>
      )}
    </>
  )
}

type PinPlaceProps = {
  readonly name: string
  /** From 0. */
  readonly at: number
  readonly of: number
  readonly isCurrent: boolean
  readonly onHold: (event: PointerEvent) => void
  readonly onMove: (to: number) => void
}

/** The place of a pack in the pinned row, and three ways to another: handle, buttons and keys. */
function PinPlace({ name, at, of, isCurrent, onHold, onMove }: PinPlaceProps): JSX.Element {
  const tabIndex = isCurrent ? 0 : -1
  return (
    <span role="gridcell" class="pin-place">
      {/* Buttons and keys do the same for those who cannot drag. */}
      <span class="pin-handle" aria-hidden="true" title="Drag to reorder" onPointerDown={onHold}>
        <Icon name="drag" />
      </span>
      <b>{at + 1}</b>
      {/* At the ends they stay where they are: whoever presses on keeps the focus. */}
      <Button
        tone="quiet"
        icon="up"
        tabIndex={tabIndex}
        data-column="up"
        aria-label={`Move ${isolate(name)} up`}
        aria-disabled={at === 0}
        onClick={() => onMove(at - 1)}
      />
      <Button
        tone="quiet"
        icon="down"
        tabIndex={tabIndex}
        data-column="down"
        aria-label={`Move ${isolate(name)} down`}
        aria-disabled={at === of - 1}
        onClick={() => onMove(at + 1)}
      />
    </span>
  )
}
