/** Longer ones would crowd the cookie that they travel in. */
const MAX_LENGTH = 512

/** Where signing in itself happens: to come back there would go round in circles. */
const ownEnds = /^\/(?:sign-in|session)(?:[/?#]|$)/i

/**
 * Where somebody goes after signing in: a path of ours, or `/` for anything else. What a browser
 * would read as another site's address (`//host`, `/\host`, a tab or line break in between) is
 * refused in the plain and in the percent-encoded spelling.
 */
export const safeReturnPath = (wish: unknown): string => {
  if (typeof wish !== 'string' || wish.length > MAX_LENGTH) return '/'
  let decoded: string
  try {
    decoded = decodeURIComponent(wish)
  } catch {
    return '/'
  }
  return [wish, decoded].every(isOwnPath) ? wish : '/'
}

const isOwnPath = (text: string): boolean =>
  text.startsWith('/') &&
  !text.startsWith('//') &&
  !text.includes('\\') &&
  !/\p{C}/u.test(text) &&
  !ownEnds.test(text) &&
  // As a browser reads it: dots and slashes may have hidden what the text alone does not show.
  isOnOrigin(text)

const ORIGIN = 'https://site.invalid'

const isOnOrigin = (text: string): boolean => {
  if (!URL.canParse(text, ORIGIN)) return false
  const { origin, pathname } = new URL(text, ORIGIN)
  return origin === ORIGIN && !pathname.startsWith('//') && !ownEnds.test(pathname)
}
