const BYTES = 16

/** A name for a creation that nobody else has: 128 random bits. `randomUUID` wants a secure context. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
