import { createHash } from 'node:crypto'
import { encodePackKey } from '../../../pool/pack-key/pack-key.ts'
import type { PackToSave } from '../pack-input.ts'

/** Of bytes. */
export const bytesPrint = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('base64url')

/** Of what a pack's owner decides; the order in which slots were sent makes no other pack (D-27). */
export const packPrint = ({ visibility, description = '', ...pool }: PackToSave): string =>
  bytesPrint(Buffer.from(JSON.stringify([encodePackKey(pool), visibility, description])))
