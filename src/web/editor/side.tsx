import * as words from '#texts/common'
import * as texts from '#texts/editor'
import { Button } from '../parts/buttons.tsx'
import { PackKeyCard } from '../pool/pool-side.tsx'
import { StarPlot } from '../pool/star-plot.tsx'
import { explain } from '../site-failure.ts'
import { keyOfView } from '../editing/lanes/board.ts'
import { focusLater, slotId } from '../editing/focus.ts'
import type { ModelProps } from './model.ts'
import { KeysHelp } from '../editing/keys.tsx'
import '../style/side-card.css'

/** What the pack amounts to while it is being edited: its problems, its stars, and its key. */
export function EditSide({ model }: ModelProps) {
  const slots = model.slotViews.value
  return (
    <>
      <ProblemList model={model} />
      <Places of="hints" title={texts.hints} places={model.hints.value} onPick={focusLater} />
      {slots.length > 0 && (
        <section class="edit-plot" aria-label={words.stars}>
          <StarPlot slots={slots} onPick={(slot) => focusLater(slotId(keyOfView(slot)))} />
          <LookNote model={model} />
        </section>
      )}
      <LiveKey model={model} />
      <KeysHelp of="pack" />
    </>
  )
}

function ProblemList({ model }: ModelProps) {
  const shown = model.shownProblems.value
  return (
    <Places
      of="problems"
      title={shown.every(({ isMissing }) => isMissing) ? texts.required : texts.fixFirst}
      places={shown}
      onPick={(id) => model.goTo(id)}
    />
  )
}

type PlacesProps<Id> = {
  readonly of: 'problems' | 'hints'
  readonly title: string
  readonly places: readonly { readonly id: Id; readonly text: string }[]
  readonly onPick: (id: Id) => void
}

/** What leads to the places on the page that it is about; nothing if there is none. */
function Places<Id>({ of, title, places, onPick }: PlacesProps<Id>) {
  const id = `${of}-title`
  if (places.length === 0) return null
  return (
    <section class={`side-card edit-${of}`} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul role="list">
        {places.map((place, at) => (
          <li key={at}>
            <button type="button" class="edit-link" onClick={() => onPick(place.id)}>
              {place.text}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function LookNote({ model }: ModelProps) {
  const { phase, error, retry } = model.beatmaps.value ?? { error: null }
  if (phase !== 'stalled' && error === null) return null
  return (
    <p class="side-note" role="status">
      {error === null ? texts.someNotLookedUp : explain(error)}{' '}
      {phase === 'stalled' && <Button onClick={retry}>{words.retry}</Button>}
    </p>
  )
}

function LiveKey({ model: { packKey, store } }: ModelProps) {
  if (packKey.value !== null) return <PackKeyCard packKey={packKey.value} />
  const isBare = store.edit.name.trim() === '' || store.slots.length === 0
  return (
    <section class="side-card" aria-labelledby="pack-key-title">
      <h2 id="pack-key-title">{texts.packKey}</h2>
      <p class="side-note">{isBare ? texts.addForKey : texts.fixForKey}</p>
    </section>
  )
}
