const BEARER = /^[ \t]*bearer(?:[ \t]+(.*?))?[ \t]*$/is

/**
 * The token of an `Authorization` header: the scheme in any case, spaces around ignored.
 * null when there is no header, another scheme, or nothing behind `Bearer` (D-4).
 */
export const bearerToken = (authorization: string | undefined): string | null =>
  (authorization && BEARER.exec(authorization)?.[1]) || null
