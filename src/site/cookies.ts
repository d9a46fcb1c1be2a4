/** A cookie that scripts cannot read and other sites' forms do not send. */
type NewCookie = {
  readonly name: string
  readonly value: string
  /** 0 removes it. */
  readonly maxAgeSeconds: number
  readonly isSecure: boolean
}

/** The value of a `Set-Cookie` header. */
export const cookieText = ({ name, value, maxAgeSeconds, isSecure }: NewCookie): string =>
  [
    `${name}=${value}`,
    'Path=/',
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ')

/**
 * A cookie's name: over TLS with the prefix that keeps it to this host and away from plain HTTP,
 * so that no neighbour can plant one.
 */
export const cookieName = (name: string, isSecure: boolean): string =>
  isSecure ? `__Host-${name}` : name

/** The value of a cookie in a `Cookie` header; null when it is missing or stands there twice. */
export const readCookie = (header: string | undefined, name: string): string | null => {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  return values.length === 1 ? (values[0]?.slice(name.length + 1) ?? null) : null
}
