import * as words from '#texts/common'
import * as texts from '#texts/round'
import { useState } from 'preact/hooks'
import { DETAIL_LENGTH, LINK_LENGTH } from '../../contract/bounds.ts'
import type { SlotDetails } from '../../contract/rounds.ts'
import { slotFields, type SlotFilling } from '../../pool/round-fields.ts'
import { slotLabel } from '../../pool/slots.ts'
import { slotCell } from '../editing/changes.ts'
import { focusLater, slotId } from '../editing/focus.ts'
import { readUnsaved, writeUnsaved } from '../editing/unsaved.ts'
import type { LaneSlot } from '../editing/lanes/lanes.ts'
import { Button } from '../parts/buttons.tsx'
import { TextInput } from '../parts/inputs.tsx'
import { announce } from '../parts/toasts.tsx'
import { readLink } from './round-fields.tsx'
import { planId, type RoundModel } from './round-model.ts'

type PlanFormProps = { readonly round: RoundModel; readonly slot: LaneSlot }

const names = [
  ['artist', texts.artist],
  ['title', texts.title],
  ['difficulty', texts.difficulty],
  ['mapper', texts.mapper],
] as const satisfies (readonly [keyof SlotDetails, string])[]

/** What is typed, and not what it means. */
type TypedPlan = {
  readonly details: SlotDetails
  readonly typed: string
  /** What the slot held when typing began. */
  readonly seen: SlotFilling
}

const readPlan = (text: string): TypedPlan | null =>
  readUnsaved(text, ({ details, typed, seen }) => {
    const isText = [...Object.values(details as object), typed].every(
      (each) => typeof each === 'string',
    )
    return isText && typeof seen === 'object' && seen !== null
      ? { details: details as SlotDetails, typed: typed as string, seen }
      : null
  })

/** What is known of the beatmap of a slot while it has no id, and where it can be had (D-77). */
export function PlanForm({ round, slot }: PlanFormProps) {
  const cell = slotCell(slot)
  const id = planId(cell)
  // Another person may change the slot meanwhile: then both are shown, as of every change.
  const [now] = useState(() => slotFields.sent(slot))
  const kept = round.typed.text(`plan:${cell}`)
  const { details, typed, seen } = readPlan(kept.value) ?? {
    details: now.details ?? {},
    typed: now.link ?? '',
    seen: now,
  }
  const set = (changes: Partial<TypedPlan>): void =>
    void (kept.value = writeUnsaved({ details, typed, seen, ...changes }))
  const link = readLink(typed)
  const reason = 'reason' in link ? link.reason : null

  const close = (): void => {
    round.planning.value = null
    focusLater(slotId(slot.key))
  }
  const discard = (): void => {
    kept.value = ''
    close()
  }
  const save = (event: Event): void => {
    event.preventDefault()
    if (!('value' in link)) return
    const known = names.flatMap(([name]) => {
      const text = details[name]?.trim() ?? ''
      return text === '' ? [] : [[name, text] as const]
    })
    round.plan(slot, seen, {
      ...(known.length > 0 && { details: Object.fromEntries(known) }),
      ...(link.value !== undefined && { link: link.value }),
    })
    announce(texts.slotChanged({ slot: slotLabel(slot) }))
    discard()
  }
  return (
    <form
      class="plan-form"
      aria-label={texts.detailsAndLinkOf({ slot: slotLabel(slot) })}
      onSubmit={save}
      onKeyDown={(event) => {
        // What is typed is there when it is opened again.
        if (event.key === 'Escape') close()
      }}
    >
      {names.map(([name, label], at) => (
        <label key={name}>
          {label}
          <TextInput
            data-is-kept=""
            {...(at === 0 && { id })}
            maxLength={DETAIL_LENGTH}
            value={details[name] ?? ''}
            onText={(text) => set({ details: { ...details, [name]: text } })}
          />
        </label>
      ))}
      <label class="plan-link">
        {texts.linkToFile}
        <TextInput
          data-is-kept=""
          inputMode="url"
          maxLength={LINK_LENGTH}
          placeholder="https://files.example/map.osz"
          value={typed}
          aria-invalid={reason === null ? undefined : true}
          aria-describedby={reason === null ? undefined : `${id}-reason`}
          onText={(typed) => set({ typed })}
        />
      </label>
      {reason !== null && (
        <span id={`${id}-reason`} class="commit-reason" role="status">
          {reason}
        </span>
      )}
      <p class="side-note">{texts.planMeans}</p>
      <p class="actions">
        <Button type="submit" tone="primary" label={texts.save} disabled={reason !== null} />
        <Button label={words.cancel} onClick={discard} />
      </p>
    </form>
  )
}
