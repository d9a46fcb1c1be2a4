import * as texts from '#texts/editing'
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { MAX_CUSTOM_BUCKETS, MAX_FORCED_MODS } from '../../../contract/bounds.ts'
import { type ForcedMod, forcedMods } from '../../../contract/mods.ts'
import type { CustomBucket } from '../../../contract/pools.ts'
import { findInForcedSet, isCustom, orderForcedSet } from '../../../pool/slots.ts'
import { Button } from '../../parts/buttons.tsx'
import { CommitField, readCode, useEntry } from '../fields.tsx'
import { type BoardProps, BUCKET_NAME } from './board.ts'

const bucketsFull = { pack: texts.packBucketsFull, round: texts.roundBucketsFull }

export function AddBucket({ board: { actions, store, typed, of } }: BoardProps) {
  const { buckets } = store
  const isFull = buckets.filter(isCustom).length >= MAX_CUSTOM_BUCKETS
  const { field, note, isBlank, submit } = useEntry(
    (code) =>
      isFull
        ? { reason: bucketsFull[of]({ n: MAX_CUSTOM_BUCKETS }) }
        : readCode(code, buckets, null),
    (code, done) => {
      actions.addBucket(code)
      done()
    },
    typed.text(BUCKET_NAME),
  )
  /** What is typed has the same note. */
  const isShut = isFull && isBlank
  const limitId = 'edit-buckets-limit'
  return (
    <form class="lane-add-bucket" onSubmit={submit}>
      <label>
        <span>{texts.customBucket}</span>
        <input
          {...field}
          {...(isShut && { 'aria-describedby': limitId })}
          id="edit-buckets"
          class="field"
          placeholder="RC"
          maxLength={24}
          readOnly={isShut}
        />
      </label>
      <Button type="submit" icon="plus" label={texts.addThisBucket} disabled={isFull} />
      {isShut ? (
        <span id={limitId} class="commit-reason quiet-text" role="status">
          {bucketsFull[of]({ n: MAX_CUSTOM_BUCKETS })}
        </span>
      ) : (
        note
      )}
    </form>
  )
}

export function BucketPanel({ bucket, board }: BoardProps & { bucket: CustomBucket }) {
  const { actions, store } = board
  const { code, color } = bucket
  const close = (): void => actions.closeSettings(code)
  const change = (changed: CustomBucket, label: string): void =>
    actions.changeBucket(code, changed, label)
  const setMods = (next: CustomBucket['mods']): void => {
    if (next === bucket.mods) return
    change({ code, color, ...(next && { mods: next }) }, modsStep(code, next))
  }
  return (
    <div
      class="bucket-panel"
      role="group"
      aria-label={texts.settingsFor({ bucket: code })}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <label class="bucket-code">
        <span class="bucket-panel-label">{texts.code}</span>
        <CommitField
          maxLength={24}
          text={code}
          read={(text) => readCode(text, store.buckets, code)}
          onCommit={(next) =>
            change({ ...bucket, code: next }, texts.renameBucket({ bucket: code, name: next }))
          }
        />
      </label>
      <fieldset class="bucket-colors">
        <legend class="bucket-panel-label">
          {texts.color({ color: <span>{colors[color]}</span> })}
        </legend>
        <span class="bucket-swatches">
          {colors.map((name, at) => (
            <label key={name} class="bucket-swatch" data-color={at} title={name}>
              <input
                type="radio"
                class="sr-only"
                name={`color-${code}`}
                checked={at === color}
                onChange={() =>
                  change({ ...bucket, color: at }, texts.changeColor({ bucket: code, color: name }))
                }
              />
              <span class="sr-only">{name}</span>
            </label>
          ))}
        </span>
      </fieldset>
      <ModChoice key={code} code={code} mods={bucket.mods} onChange={setMods} />
      <p class="actions">
        <Button label={texts.done} onClick={close} />
        <Button tone="quiet" icon="trash" onClick={() => actions.askToRemoveBucket(code)}>
          {texts.removeNamedBucket({ bucket: code })}
        </Button>
      </p>
    </div>
  )
}

/** The palette of custom buckets, by position. */
const colors = [
  texts.colorGreen,
  texts.colorTeal,
  texts.colorPink,
  texts.colorLime,
  texts.colorCyan,
  texts.colorFuchsia,
  texts.colorYellow,
  texts.colorRed,
  texts.colorIndigo,
  texts.colorStone,
]

function modsStep(bucket: string, mods: CustomBucket['mods']): string {
  if (mods === undefined) return texts.clearMods({ bucket })
  if (mods.kind === 'free') return texts.setFreeMods({ bucket })
  return texts.setMods({ bucket, mods: mods.set.join('') })
}

const kinds = { none: texts.modsNotSet, free: texts.freeMods, forced: texts.forcedMods } as const
type Kind = keyof typeof kinds

type ModChoiceProps = {
  readonly code: string
  readonly mods: CustomBucket['mods']
  readonly onChange: (mods: CustomBucket['mods']) => void
}

/** Which mods a custom bucket has: none set, free, or forced. */
export function ModChoice({ code, mods, onChange }: ModChoiceProps) {
  const name = useId()
  // Forced mods can be chosen as the kind before any of them is.
  const isForced = useSignal(mods?.kind === 'forced')
  const shown: Kind = mods?.kind ?? (isForced.value ? 'forced' : 'none')
  const set = mods?.kind === 'forced' ? mods.set : []

  const choose = (next: Kind): void => {
    isForced.value = next === 'forced'
    onChange(next === 'free' ? { kind: 'free' } : undefined)
  }
  const toggle = (mod: ForcedMod): void => {
    isForced.value = true
    const next = set.includes(mod) ? set.filter((each) => each !== mod) : [...set, mod]
    onChange(next.length === 0 ? undefined : { kind: 'forced', set: orderForcedSet(next) })
  }

  return (
    <fieldset class="bucket-mods">
      <legend class="bucket-panel-label">
        {texts.modsOf({
          bucket: code,
          hidden: (children) => <span class="sr-only">{children}</span>,
        })}
      </legend>
      <span class="bucket-panel-choices">
        {Object.entries(kinds).map(([kind, text]) => (
          <label key={kind}>
            <input
              type="radio"
              name={name}
              checked={kind === shown}
              onChange={() => choose(kind as Kind)}
            />
            {text}
          </label>
        ))}
      </span>
      {shown === 'forced' && (
        <span class="bucket-panel-choices" role="group" aria-label={texts.forcedMods}>
          {forcedMods.map((mod) => (
            <label key={mod}>
              <input
                type="checkbox"
                checked={set.includes(mod)}
                disabled={!set.includes(mod) && findInForcedSet([...set, mod]) !== null}
                onChange={() => toggle(mod)}
              />
              {mod}
            </label>
          ))}
          <span class="bucket-panel-note">{texts.chooseMods({ n: MAX_FORCED_MODS })}</span>
        </span>
      )}
    </fieldset>
  )
}
