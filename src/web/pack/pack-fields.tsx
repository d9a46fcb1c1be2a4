import type { ComponentChildren } from 'preact'
import { type AnyFields, type FieldValues, packFieldNames } from '../../pool/pack-fields.ts'
import { Description } from '../parts/labels.tsx'

/** How pages show what the owner of a pack has decided; null: with the facts below its name. */
const shown: {
  readonly [F in keyof FieldValues]: ((value: FieldValues[F]) => ComponentChildren) | null
} = {
  description: (text) => <Description text={text} />,
  visibility: null,
}

/** What the owner of a pack has decided, as it is or as it was in a version. */
export const PackFields = ({ of }: { readonly of: AnyFields }) => (
  <>
    {packFieldNames.map((field) => {
      const show = shown[field] as ((value: unknown) => ComponentChildren) | null
      return show === null || of[field] == null ? null : show(of[field])
    })}
  </>
)
