import type { JSX } from 'preact'
import { isolate } from '../../pool/text.ts'
import { Button } from '../parts/buttons.tsx'
import { Icon } from '../parts/icons.tsx'

type Props = {
  readonly name: string
  /** From 0. */
  readonly at: number
  readonly of: number
  readonly isCurrent: boolean
  readonly onHold: (event: PointerEvent) => void
  readonly onMove: (to: number) => void
}

/** The place of a pack in the pinned row, and three ways to another: handle, buttons and keys. */
export const PinPlace = ({ name, at, of, isCurrent, onHold, onMove }: Props): JSX.Element => {
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
