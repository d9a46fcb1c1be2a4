/** Now, in milliseconds since 1970, by the browser's clock. Nothing else here asks what time it is. */
export const now = (): number => performance.timeOrigin + performance.now()
