import { type TSchema, Type } from 'typebox'
import { PackEdit, PackInput } from '../../contract/packs.ts'
import { ignoredFields, readPackInput } from '../../domain/reading/pack-input.ts'
import { shapeChecker } from '../../domain/reading/schema.ts'

/** Makes a value of what was sent, or throws `bad_request` with place and remedy. */
export type ShapeReader = (sent: unknown) => unknown

const readPlain = (schema: TSchema): ShapeReader => {
  const check = shapeChecker(schema)
  return (sent) => {
    check(sent, '')
    return sent
  }
}

const checkEdit = shapeChecker(
  Type.Object({ pack: Type.Object({}), basedOn: PackEdit.properties.basedOn }),
)

/** Places are told as if the pack had been sent alone: the editor shows them by the pack's fields. */
const readPackEdit: ShapeReader = (sent) => {
  checkEdit(sent, '')
  const { pack, basedOn } = sent as { pack: unknown; basedOn: string }
  return { pack: readPackInput(pack), basedOn }
}

const special = new Map<TSchema, ShapeReader>([
  [PackInput, readPackInput],
  [PackEdit, readPackEdit],
])

/** What reads values of this schema; packs are read as the API reads them. */
export const shapeReader = (schema: TSchema): ShapeReader =>
  special.get(schema) ?? readPlain(schema)

/** The fields of a pack that was sent in a body of this schema and that nothing is made of (D-49). */
export const ignoredIn = (schema: TSchema | undefined, body: unknown): readonly string[] => {
  if (schema === PackInput) return ignoredFields(body)
  return schema === PackEdit ? ignoredFields((body as { pack: unknown }).pack) : []
}
