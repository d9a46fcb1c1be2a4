import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { MAX_FORCED_MODS } from '../../../contract/bounds.ts'
import type { Bucket, CustomBucket } from '../../../contract/bucket.ts'
import { type ForcedMod, forcedMods } from '../../../contract/mods.ts'
import { checkForcedSet, orderForcedSet } from '../../../pool/buckets.ts'
import { Button } from '../../parts/button.tsx'
import { colorNames } from '../colors.ts'
import { CommitField } from '../commit-field.tsx'
import { readCode } from '../read-fields.ts'

type Props = {
  readonly bucket: CustomBucket
  readonly buckets: readonly Bucket[]
  readonly onChange: (bucket: CustomBucket, label: string) => void
  readonly onRemove: () => void
  readonly onClose: () => void
}

/** What a custom bucket is: code, colour, mods. Each change counts at once. */
export const BucketPanel = ({
  bucket,
  buckets,
  onChange,
  onRemove,
  onClose,
}: Props): JSX.Element => {
  const { code, color } = bucket
  return (
    <div
      class="bucket-panel"
      role="group"
      aria-label={`Settings for ${code}`}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <label class="bucket-code">
        <span class="bucket-panel-label">Code</span>
        <CommitField
          maxLength={24}
          text={code}
          read={(text) => readCode(text, buckets, code)}
          onCommit={(next) => onChange({ ...bucket, code: next }, `rename ${code} to ${next}`)}
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
                  onChange({ ...bucket, color: at }, `change the color of ${code} to ${name}`)
                }
              />
              <span class="sr-only">{name}</span>
            </label>
          ))}
        </span>
      </fieldset>
      <ModChoice key={code} bucket={bucket} onChange={onChange} />
      <p class="actions">
        <Button onClick={onClose}>Done</Button>
        <Button tone="quiet" icon="trash" onClick={onRemove}>
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

const ModChoice = ({ bucket, onChange }: Pick<Props, 'bucket' | 'onChange'>): JSX.Element => {
  const { code, color, mods } = bucket
  // Forced mods are a choice already while none of them is chosen yet.
  const [kind, setKind] = useState<Kind>(mods?.kind ?? 'none')
  const shown: Kind = mods?.kind ?? (kind === 'forced' ? 'forced' : 'none')
  const set = mods?.kind === 'forced' ? mods.set : []

  const choose = (next: Kind): void => {
    setKind(next)
    if (next === 'free')
      onChange({ code, color, mods: { kind: 'free' } }, `set ${code} to free mods`)
    else if (mods !== undefined) onChange({ code, color }, `clear the mods of ${code}`)
  }
  const toggle = (mod: ForcedMod): void => {
    setKind('forced')
    const next = orderForcedSet(
      set.includes(mod) ? set.filter((each) => each !== mod) : [...set, mod],
    )
    if (next.length === 0) onChange({ code, color }, `clear the mods of ${code}`)
    else
      onChange(
        { code, color, mods: { kind: 'forced', set: next } },
        `set ${code} to ${next.join('')}`,
      )
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
