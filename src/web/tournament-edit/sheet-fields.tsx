import * as texts from '#texts/round'
import type { SentRoundFields } from '../../pool/round-fields.ts'
import { type FieldDifference, fieldDifferences, maySetField } from '../../pool/sheet-merge.ts'
import { fieldNames } from '../field-names.ts'
import type { ReadPool } from '../editing/paste/read-source.ts'
import { PersonText } from '../parts/labels.tsx'
import { fieldWords } from './draft-versions.ts'
import type { ShownRound } from './sheet-parts.ts'

/** What the reader may set of a round by a sheet; and whether it has what hosts alone may set. */
export function fieldsOf(round: Omit<ShownRound, 'id'>, sheet: SentRoundFields, isHost: boolean) {
  const all = fieldDifferences(round, sheet)
  const fields = all.filter((each) => maySetField(each, isHost))
  return { fields, isClosed: fields.length < all.length }
}

type NewFieldsProps = Pick<ReadPool, 'roundFields'> & { readonly isHost: boolean }

/** The fields of a new round in a sheet, other than its slots. */
export function NewFields({ roundFields, isHost }: NewFieldsProps) {
  const { fields, isClosed } = fieldsOf(noRound, roundFields, isHost)
  if (fields.length === 0 && !isClosed) return null
  return (
    <div class="sheet-differences">
      {isClosed && <p class="quiet-text">{texts.linksOfHosts}</p>}
      <ul role="list">
        {fields.map((each) => (
          <li key={each.field}>
            <b>{fieldNames[each.field]}</b> <PersonText text={fieldText(each)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

export const noRound = { slots: [] }

/** A field as `fieldWords` has it. */
export const fieldText = ({ field, from, to }: FieldDifference): string =>
  [from, to].flatMap((value) => (value === undefined ? [] : fieldWords(field, value))).join(' → ')
