import * as words from '#texts/common'
import * as texts from '#texts/workspace'
import type { ComponentChildren } from 'preact'
import type { Bucket } from '../../contract/pools.ts'
import { bucketText } from '../../pool/difference-words.ts'
import type { RoundField, SlotFilling } from '../../pool/round-fields.ts'
import { slotLabel } from '../../pool/slots.ts'
import { bucketCell, cellsOf, cellWords, isOfCell, placeOfCell } from '../editing/changes.ts'
import type { StuckAction } from '../editing/edit-store.ts'
import { differenceTexts } from '../field-names.ts'
import { Button } from '../parts/buttons.tsx'
import { shownText } from '../parts/labels.tsx'
import { fieldWords } from './draft-versions.ts'
import type { RoundProps } from './round-fields.tsx'
import { fillingWords } from './round-store.ts'

const bold = (children: ComponentChildren) => <b>{children}</b>

type StuckProps = RoundProps & {
  readonly id: string
  readonly stuck: StuckAction
  /** Shows the slot that it is of. */
  readonly onShow: (label: string) => void
}

/** Shows what is there now and what the person wanted; nothing is lost until they choose. */
export function Stuck({ id, round, stuck, onShow }: StuckProps) {
  const { store, nameOf } = round
  const { changes, message, label } = stuck
  const isRefused = message !== null
  const now = cellsOf(store.edit)
  const wordsOf = (cell: string, value: string | null = null): string =>
    shownText(valueWords(cell, value, nameOf) ?? texts.notThere)
  const shown = changes.filter(isOfCell)
  const choose = (work: (stuck: StuckAction) => void): void => {
    const place = placeOfCell(shown[0]?.cell ?? '')
    work.call(store, stuck)
    if (place !== null) onShow(slotLabel(place))
  }
  return (
    <section
      id={id}
      class="slot-conflict"
      role="alert"
      aria-label={texts.notSavedStep({ step: label })}
      tabIndex={-1}
    >
      <p>
        {isRefused
          ? texts.notSaved({ b: bold, reason: message })
          : texts.changedByOther({ b: bold })}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span class="sr-only">{texts.what}</span>
            </th>
            <th scope="col">{isRefused ? texts.nowThere : texts.theirs}</th>
            <th scope="col">{texts.mine}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ cell, to }) => (
            <tr key={cell}>
              <th scope="row">{cellWords(cell)}</th>
              <td dir="auto">{wordsOf(cell, now.get(cell))}</td>
              <td dir="auto">{wordsOf(cell, to)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="actions">
        <Button
          tone="primary"
          label={isRefused ? words.retry : texts.keepMine}
          onClick={() => choose((each) => store.keepMine(each))}
        />
        <Button
          label={isRefused ? texts.discardMine : texts.useTheirs}
          onClick={() => choose((each) => store.takeTheirs(each))}
        />
      </p>
    </section>
  )
}

/** A value of a cell in words; null for nothing. */
export function valueWords(
  cell: string,
  value: string | null,
  nameOf: (beatmapId: number) => string,
): string | null {
  if (value === null) return null
  const parsed: unknown = JSON.parse(value)
  const name = cell.slice(cell.indexOf(' ') + 1)
  if (placeOfCell(cell) !== null) return fillingWords(parsed as SlotFilling, nameOf)
  if (cell === bucketCell(name)) return bucketText(parsed as Bucket, differenceTexts)
  return fieldWords(name as RoundField, parsed)
}
