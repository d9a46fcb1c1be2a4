import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { MAX_CUSTOM_BUCKETS, MAX_FORCED_MODS } from '../../../contract/bounds.ts'
import { type ForcedMod, forcedMods } from '../../../contract/mods.ts'
import type { Bucket, CustomBucket } from '../../../contract/pools.ts'
import { checkForcedSet, isCustom, orderForcedSet } from '../../../pool/buckets.ts'
import { Button } from '../../parts/buttons.tsx'
import { CommitField, Reason, useEntry } from '../commit-field.tsx'
import { colorNames } from '../edit.ts'
import { readCode } from '../read-fields.ts'
import type { LaneActions } from './lane-actions.ts'

type AddProps = {
  readonly buckets: readonly Bucket[]
  readonly onAdd: (code: string) => void
}

/** Adds a bucket of the host's own. */
export function AddBucket({ buckets, onAdd }: AddProps): JSX.Element {
  const { text, reason, onInput, submit } = useEntry((code) => readCode(code, buckets, null), onAdd)
  const noteId = useId()
  const isFull = buckets.filter(isCustom).length >= MAX_CUSTOM_BUCKETS
  const note = isFull ? `A pack can have at most ${MAX_CUSTOM_BUCKETS} custom buckets.` : reason
  return (
    <form class="lane-add-bucket" onSubmit={submit}>
      <label>
        <span>Custom bucket</span>
        <input
          id="edit-buckets"
          class="field"
          placeholder="RC"
          autocomplete="off"
          spellcheck={false}
          maxLength={24}
          readOnly={isFull}
          value={text}
          aria-invalid={reason === null ? undefined : true}
          aria-describedby={note === null ? undefined : noteId}
          onInput={onInput}
        />
      </label>
      <Button type="submit" icon="plus" disabled={isFull}>
        Add bucket
      </Button>
      <Reason id={noteId} text={note} class={isFull ? ' quiet-text' : ''} />
    </form>
  )
}

type PanelProps = {
  readonly bucket: CustomBucket
  readonly buckets: readonly Bucket[]
  readonly actions: LaneActions
}

/** What a custom bucket is: code, colour, mods. Each change counts at once. */
export function BucketPanel({ bucket, buckets, actions }: PanelProps): JSX.Element {
  const { code, color } = bucket
  const close = (): void => actions.closeSettings(code)
  const change = (changed: CustomBucket, label: string): void =>
    actions.changeBucket(code, changed, label)
  return (
    <div
      class="bucket-panel"
      role="group"
      aria-label={`Settings for ${code}`}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <label class="bucket-code">
        <span class="bucket-panel-label">Code</span>
        <CommitField
          maxLength={24}
          text={code}
          read={(text) => readCode(text, buckets, code)}
          onCommit={(next) => change({ ...bucket, code: next }, `rename ${code} to ${next}`)}
        />
      </label>
      <fieldset class="bucket-colors">
        <legend class="bucket-panel-label">
          Colour: <span>{colorNames[color]}</span>
        </legend>
        <span class="bucket-swatches">
          {colorNames.map((name, at) => (
            <label key={name} class="bucket-swatch" data-color={at} title={name}>
              <input
                type="radio"
                class="sr-only"
                name={`color-${code}`}
                checked={at === color}
                onChange={() =>
                  change({ ...bucket, color: at }, `change the color of ${code} to ${name}`)
                }
              />
              <span class="sr-only">{name}</span>
            </label>
          ))}
        </span>
      </fieldset>
      <ModChoice key={code} bucket={bucket} change={change} />
      <p class="actions">
        <Button onClick={close}>Done</Button>
        <Button tone="quiet" icon="trash" onClick={() => actions.askToRemoveBucket(code)}>
          Remove {code}
        </Button>
      </p>
    </div>
  )
}

type Kind = 'none' | 'free' | 'forced'

const kinds: readonly (readonly [Kind, string])[] = [
  ['none', 'Not set'],
  ['free', 'Free mods'],
  ['forced', 'Forced mods'],
]

type ModProps = {
  readonly bucket: CustomBucket
  readonly change: (bucket: CustomBucket, label: string) => void
}

function ModChoice({ bucket: { code, color, mods }, change }: ModProps): JSX.Element {
  // Forced mods are a choice already while none of them is chosen yet.
  const kind = useSignal<Kind>(mods?.kind ?? 'none')
  const shown: Kind = mods?.kind ?? (kind.value === 'forced' ? 'forced' : 'none')
  const set = mods?.kind === 'forced' ? mods.set : []

  const choose = (next: Kind): void => {
    kind.value = next
    if (next === 'free') change({ code, color, mods: { kind: 'free' } }, `set ${code} to free mods`)
    else if (mods !== undefined) change({ code, color }, `clear the mods of ${code}`)
  }
  const toggle = (mod: ForcedMod): void => {
    kind.value = 'forced'
    const next = orderForcedSet(
      set.includes(mod) ? set.filter((each) => each !== mod) : [...set, mod],
    )
    if (next.length === 0) change({ code, color }, `clear the mods of ${code}`)
    else {
      const label = `set ${code} to ${next.join('')}`
      change({ code, color, mods: { kind: 'forced', set: next } }, label)
    }
  }
  const isOut = (mod: ForcedMod): boolean =>
    !set.includes(mod) && checkForcedSet([...set, mod]) !== null

  return (
    <fieldset class="bucket-mods">
      <legend class="bucket-panel-label">Mods</legend>
      <span class="bucket-panel-choices">
        {kinds.map(([each, name]) => (
          <label key={each}>
            <input
              type="radio"
              name={`mods-${code}`}
              checked={each === shown}
              onChange={() => choose(each)}
            />
            {name}
          </label>
        ))}
      </span>
      {shown === 'forced' && (
        <span class="bucket-panel-choices" role="group" aria-label="Forced mods">
          {forcedMods.map((mod) => (
            <label key={mod}>
              <input
                type="checkbox"
                checked={set.includes(mod)}
                disabled={isOut(mod)}
                onChange={() => toggle(mod)}
              />
              {mod}
            </label>
          ))}
          <span class="bucket-panel-note">
            One to {MAX_FORCED_MODS}; EZ and HR, DT and HT exclude each other.
          </span>
        </span>
      )}
    </fieldset>
  )
}
