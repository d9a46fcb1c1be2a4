import { readFileSync } from 'node:fs'
import { MAX_BODY_BYTES } from '../contract/bounds.ts'
import { Failure } from '../contract/errors.ts'
import type { PackInput } from '../contract/packs.ts'
import { readJson } from '../domain/reading/json.ts'
import { readPackInput } from '../domain/reading/pack-input.ts'
import { Trouble } from '../main/trouble.ts'
import { fileErrorText } from './system-error.ts'

const STDIN = 0

const readBytes = (file: string): Uint8Array => {
  try {
    return readFileSync(file === '-' ? STDIN : file)
  } catch (error) {
    throw new Trouble(fileErrorText(error, 'read', file === '-' ? 'stdin' : file))
  }
}

/** A pool from a file, or from stdin for `-`; what the API would refuse is refused here. */
export const readPoolFile = (file: string): PackInput => {
  const bytes = readBytes(file)
  if (bytes.length > MAX_BODY_BYTES) {
    throw new Failure('too_large', `a pool may have at most ${MAX_BODY_BYTES} bytes`)
  }
  return readPackInput(readJson(bytes))
}
