/** The path of a request target as the router reads it: `/%61pi` is `/api`, `%2F` is no slash. */
export const decodedPath = (url: string): string => decodeURI(url.replace(/[?#].*$/s, ''))
