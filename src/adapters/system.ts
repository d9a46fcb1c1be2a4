import { hash, randomBytes } from 'node:crypto'
import type { Clock, Hasher, Random } from '../ports/system.ts'

/** The machine's time. */
export const systemClock: Clock = { now: () => Date.now() }

/** The machine's secure randomness. */
export const systemRandom: Random = { bytes: (count) => randomBytes(count) }

/** One call into the crypto library; a hash object would cost several times as much. */
export const systemHasher: Hasher = { sha256: (text) => hash('sha256', text, 'base64url') }
