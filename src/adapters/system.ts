import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '../ports/clock.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { Random } from '../ports/random.ts'

/** The machine's time. */
export const systemClock: Clock = { now: () => Date.now() }

/** The machine's secure randomness. */
export const systemRandom: Random = { bytes: (count) => randomBytes(count) }

/** One call into the crypto library; a hash object would cost several times as much. */
export const systemHasher: Hasher = { sha256: (text) => hash('sha256', text, 'base64url') }
