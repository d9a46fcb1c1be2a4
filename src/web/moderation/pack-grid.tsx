import type { TargetedKeyboardEvent } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { ModeratedPack } from '../../contract/moderation.ts'
import { isolate } from '../../pool/text.ts'
import { rowAfter } from '../focus.ts'
import { formatDay, formatShortDay } from './dates.ts'
import { Button } from '../parts/buttons.tsx'
import { Icon } from '../parts/icons.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { actions, hidingOf, type PacksModel, pinningOf, rowId, SEARCH_ID } from './packs-model.ts'
import { usePinDrag } from './pin-drag.ts'

/** `isOrdered`: the rows are all pinned packs, whose order can be changed. */
type PackGridProps = { packs: readonly ModeratedPack[]; model: PacksModel; isOrdered: boolean }

const ROWS = '.moderated-row'
const STOPS = 'a, button'

const columns = ['Pack', 'Owner', 'Visibility', 'State', 'Updated']

/** A grid of packs with one tab stop: the row that has, or last had, the focus. */
export function PackGrid({ packs, model, isOrdered }: PackGridProps) {
  const list = useRef<HTMLDivElement>(null)
  const [currentSlug, setCurrent] = useState<string | null>(null)
  const { draggedFrom, begin, styleOf } = usePinDrag(list, ROWS, model.movePin)
  const current = packs.find(({ slug }) => slug === currentSlug) ?? packs[0]

  const press = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const rows = [...event.currentTarget.querySelectorAll(ROWS)]
    const at = rows.findIndex((row) => row.contains(event.target as Node))
    const [row, pack] = [rows[at], packs[at]]
    if (row === undefined || pack === undefined) return
    const by = stepOf(event, 'ArrowUp', 'ArrowDown')
    if (isOrdered && event.altKey && by !== 0) model.movePin(at, at + by)
    else if (isModified(event)) return
    else if (event.key === '/') document.getElementById(SEARCH_ID)?.focus()
    else if (event.key.toLowerCase() === 'h') askHiding(model, pack)
    else if (event.key.toLowerCase() === 'p') void model.togglePin(pack)
    else if (!stepAcross(event, row) && !stepDown(event, rows, at)) return
    event.preventDefault()
  }

  return (
    <div
      ref={list}
      class={isOrdered ? 'moderated ordered' : 'moderated'}
      role="grid"
      aria-label="Packs"
      onKeyDown={press}
    >
      <div class="moderated-head" role="row">
        {(isOrdered ? ['Place', ...columns] : columns).map((column) => (
          <span key={column} role="columnheader">
            {column}
          </span>
        ))}
        <span role="columnheader">
          <span class="sr-only">Actions</span>
        </span>
      </div>
      {packs.map((pack, at) => {
        const row = { pack, model, tabIndex: pack === current ? 0 : -1 }
        return (
          <div
            key={pack.slug}
            id={rowId(pack.slug)}
            class={at === draggedFrom ? 'moderated-row dragged' : 'moderated-row'}
            role="row"
            aria-keyshortcuts="H P"
            style={styleOf(at)}
            onFocusIn={() => setCurrent(pack.slug)}
          >
            {isOrdered && (
              <PinPlace
                {...row}
                at={at}
                last={packs.length - 1}
                onHold={(event) => begin(event, at)}
              />
            )}
            <PackCells {...row} />
          </div>
        )
      })}
    </div>
  )
}

/** What a suspension hides is not decided here. */
function askHiding(model: PacksModel, pack: ModeratedPack): void {
  if (pack.isSuspended !== true) model.hiding.ask(pack)
}

const isModified = ({ ctrlKey, altKey, metaKey }: KeyboardEvent): boolean =>
  ctrlKey || altKey || metaKey

const stepOf = ({ key }: KeyboardEvent, back: string, forth: string): number =>
  Number(key === forth) - Number(key === back)

function stepAcross(event: KeyboardEvent, row: Element): boolean {
  const by = stepOf(event, 'ArrowLeft', 'ArrowRight')
  if (by === 0) return false
  const stops = [...row.querySelectorAll<HTMLElement>(STOPS)]
  const next = stops[stops.indexOf(event.target as HTMLElement) + by]
  next?.focus()
  return next !== undefined
}

/** Moves the focus to another row, within the column if possible. */
function stepDown(event: KeyboardEvent, rows: readonly Element[], at: number): boolean {
  const row = rows[rowAfter(event, at, rows.length) ?? -1]
  if (row === undefined) return false
  const column = (event.target as HTMLElement).dataset['column'] ?? ''
  const same = row.querySelector<HTMLElement>(`[data-column="${column}"]`)
  ;(same ?? row.querySelector<HTMLElement>(STOPS))?.focus()
  return true
}

type RowProps = { pack: ModeratedPack; model: PacksModel; tabIndex: number }

type PinPlaceProps = RowProps & { at: number; last: number; onHold: (event: PointerEvent) => void }

/** The place of a pinned pack, with a handle and buttons that change it. */
const PinPlace = ({ pack: { name }, model, tabIndex, at, last, onHold }: PinPlaceProps) => (
  <span role="gridcell" class="pin-place">
    {/* Buttons and keys do the same for those who cannot drag. */}
    <span class="pin-handle" aria-hidden="true" title="Drag to reorder" onPointerDown={onHold}>
      <Icon name="drag" />
    </span>
    <b>{at + 1}</b>
    {/* Not disabled at the ends: a disabled button would lose the focus. */}
    {(['up', 'down'] as const).map((way) => (
      <Button
        key={way}
        tone="quiet"
        icon={way}
        tabIndex={tabIndex}
        data-column={way}
        aria-label={`Move ${isolate(name)} ${way}`}
        aria-disabled={at === (way === 'up' ? 0 : last)}
        onClick={() => model.movePin(at, way === 'up' ? at - 1 : at + 1)}
      />
    ))}
  </span>
)

const seenBy = {
  private: 'Only the owner',
  unlisted: 'Anyone with the link',
  public: 'Everyone',
} as const

function PackCells({ pack, model, tabIndex }: RowProps) {
  const { slug, name, ownerName, ownerGameId, visibility, updatedAt } = pack
  const { hiddenAt, isPinned, isSuspended } = pack
  const mayBePinned = visibility === 'public' && hiddenAt === undefined
  const [pinning] = actions[pinningOf(pack)]
  const [hiding] = actions[hidingOf(pack)]
  return (
    <>
      <span role="gridcell" class="moderated-name">
        <a href={`/p/${slug}`} dir="auto" tabIndex={tabIndex} data-column="name">
          {shownText(name)}
        </a>
      </span>
      <span role="gridcell" class="moderated-owner" dir="auto">
        <span class="sr-only" dir="ltr">
          {'by '}
        </span>
        <span title={ownerGameId === null ? undefined : `Player ${ownerGameId}`}>
          {shownText(ownerName)}
        </span>
      </span>
      <span role="gridcell" class="moderated-seen">
        <span class={`visibility ${visibility}`} title={seenBy[visibility]}>
          {visibility}
        </span>
      </span>
      <span role="gridcell" class="moderated-state">
        <PackState {...pack} />
      </span>
      <span role="gridcell" class="moderated-updated">
        <time dateTime={updatedAt} title={`Updated ${formatDay(updatedAt)}`}>
          <span class="sr-only">updated </span>
          {formatShortDay(updatedAt)}
        </time>
      </span>
      <span role="gridcell" class="moderated-acts">
        {(mayBePinned || isPinned) && (
          <Button
            icon="pin"
            tabIndex={tabIndex}
            data-column="pin"
            label={pinning}
            aria-label={`${pinning} ${isolate(name)}`}
            onClick={() => void model.togglePin(pack)}
          />
        )}
        {isSuspended !== true && (
          <Button
            icon="hidden"
            tabIndex={tabIndex}
            data-column="hide"
            label={hiding}
            aria-label={`${hiding} ${isolate(name)}`}
            onClick={() => model.hiding.ask(pack)}
          />
        )}
      </span>
    </>
  )
}

function PackState({ hiddenAt, hiddenReason, hiddenBy, isPinned, isSuspended }: ModeratedPack) {
  if (hiddenAt === undefined) {
    return isPinned ? <b>pinned</b> : <span class="quiet-text">shown</span>
  }
  return (
    <>
      <b class="hidden-mark">hidden</b>{' '}
      <span class="quiet-text">
        <time dateTime={hiddenAt}>{formatDay(hiddenAt)}</time>
        {hiddenBy !== undefined && [' by ', <PersonText text={hiddenBy} />]}
        {isSuspended === true && ', suspended'}
      </span>
      {hiddenReason !== undefined && (
        <span class="hidden-reason" dir="auto">
          {shownText(hiddenReason)}
        </span>
      )}
    </>
  )
}
