import type { FastifyInstance } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { PackEdit, PackInput } from '../contract/packs.ts'
import { readJson } from '../domain/reading/json.ts'
import { ignoredFields, readPackInput } from '../domain/reading/pack-input.ts'
import { checkJsonMedia } from '../domain/reading/requests.ts'
import { shapeChecker } from '../domain/reading/schema.ts'

/** The routes of a scope read JSON: what else is sent is refused before a byte of it is read (D-25). */
export function readJsonBodies(scope: FastifyInstance): void {
  scope.addHook('preParsing', async ({ headers, raw }) =>
    checkJsonMedia(raw.headersDistinct['content-type'], headers['content-encoding']),
  )
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, bytes: Buffer) =>
    readJson(bytes),
  )
}

/** The routes of a scope read no body, whatever it is: no type is wrong then. */
export function ignoreBodies(scope: FastifyInstance): void {
  scope.addHook('preParsing', async ({ headers }) => {
    delete headers['content-type']
  })
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** Makes a value of what was sent, or throws `bad_request` with place and remedy. */
export type ShapeReader = (sent: unknown) => unknown

/** What reads values of this schema; packs are read as they are wherever they stand. */
export function shapeReader(schema: TSchema): ShapeReader {
  if (schema === PackInput) return readPackInput
  if (schema === PackEdit) return readPackEdit
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
function readPackEdit(sent: unknown): PackEdit {
  checkEdit(sent, '')
  const { pack, basedOn } = sent as { pack: unknown; basedOn: string }
  return { pack: readPackInput(pack), basedOn }
}

/** The fields of a pack that was sent in a body of this schema and that nothing is made of (D-49). */
export function ignoredIn(schema: TSchema | undefined, body: unknown): readonly string[] {
  if (schema === PackInput) return ignoredFields(body)
  return schema === PackEdit ? ignoredFields((body as PackEdit).pack) : []
}
