import * as texts from '#texts/conflict'
import { useEffect } from 'preact/hooks'
import { comparePacks } from '../../../pool/comparison.ts'
import { differenceWords } from '../../../pool/difference-words.ts'
import { focusLater, focusNow } from '../../editing/focus.ts'
import { differenceTexts } from '../../field-names.ts'
import { formatMoment } from '../../format.ts'
import { Button } from '../../parts/buttons.tsx'
import { liveKey } from '../edit.ts'
import type { ModelProps } from '../model.ts'
import { sideEffects } from './side-effects.ts'

/** Something was changed here and elsewhere: shows the differences, and asks which version to keep. */
export function ConflictView({ model, isAtStart }: ModelProps & { readonly isAtStart: boolean }) {
  const { saver, store } = model
  const { edit: mine } = saver.kept
  const { magnets } = sideEffects(saver.saved, mine, liveKey(mine))
  useEffect(() => void focusNow('conflict-title'), [])
  const choice = (label: string, tone: 'plain' | 'primary', choose: () => unknown) => {
    const press = (): void => {
      void choose()
      focusLater('edit-slots')
    }
    return <Button tone={tone} label={label} onClick={press} />
  }
  return (
    <section class="edit-notice edit-conflict" role="alertdialog" aria-labelledby="conflict-title">
      <h2 id="conflict-title" tabIndex={-1}>
        {isAtStart ? texts.draftOlder : texts.changedElsewhere}
      </h2>
      <p>{texts.conflictMeans({ moment: formatMoment(saver.saved?.updatedAt ?? 0) })}</p>
      <table class="edit-conflict-table">
        <thead>
          <tr>
            <th scope="col">{texts.change}</th>
            <th scope="col">{texts.yourVersion}</th>
            <th scope="col">{texts.savedVersion}</th>
          </tr>
        </thead>
        <tbody>
          {comparePacks(mine, store.edit).map((difference, at) => {
            const { what, from, to } = differenceWords(difference, {
              nameOf: model.nameOf,
              before: mine.slots,
              texts: differenceTexts,
            })
            const nothing = <span class="quiet-text">{texts.none}</span>
            return (
              <tr key={at}>
                <th scope="row" dir="auto">
                  {what}
                </th>
                <td dir="auto">{from ?? nothing}</td>
                <td dir="auto">{to ?? nothing}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {magnets !== null && <p class="edit-effect">{magnets}</p>}
      <p class="actions">
        {choice(texts.keepMine, 'primary', () => saver.keepMine())}
        {choice(texts.takeTheirs, 'plain', () => saver.takeTheirs())}
      </p>
    </section>
  )
}
