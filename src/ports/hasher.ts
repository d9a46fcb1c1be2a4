/** A one-way fingerprint. */
export interface Hasher {
  /** SHA-256 of the text's UTF-8 bytes: 43 characters of base64url, unpadded. */
  sha256(text: string): string
}
