import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { ModeratedPack } from '../../contract/moderation.ts'
import { handleGridKey } from './grid-keys.ts'
import { ModeratedRow } from './moderated-row.tsx'
import { PinPlace } from './pin-place.tsx'
import type { Desk } from './use-desk.ts'
import { SEARCH_ID } from './use-focus-later.ts'
import { usePinDrag } from './use-pin-drag.ts'

const ROWS = '.moderated-row'

type Props = {
  readonly packs: readonly ModeratedPack[]
  readonly desk: Desk
  /** The rows are the pinned row: they have an order that can be changed. */
  readonly isOrdered: boolean
}

/** A grid of packs with one stop for Tab: the row that has, or last had, the focus. */
export const PackGrid = ({ packs, desk, isOrdered }: Props): JSX.Element => {
  const list = useRef<HTMLDivElement>(null)
  const [currentSlug, setCurrent] = useState<string | null>(null)
  const { draggedFrom, begin, styleOf } = usePinDrag(list, ROWS, desk.movePin)
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
          onHide: withPack(desk.ask),
          onPin: withPack(desk.togglePin),
          onMove: isOrdered ? desk.movePin : undefined,
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
          onHide={() => desk.ask(pack)}
          onPin={() => desk.togglePin(pack)}
        >
          {isOrdered && (
            <PinPlace
              name={pack.name}
              at={at}
              of={packs.length}
              isCurrent={at === current}
              onHold={(event) => begin(event, at)}
              onMove={(to) => desk.movePin(at, to)}
            />
          )}
        </ModeratedRow>
      ))}
    </div>
  )
}
