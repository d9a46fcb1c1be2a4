import { useEffect, useState } from 'preact/hooks'

const hashNow = (): string => decodeURIComponent(location.hash.slice(1))

/** What stands behind `#` in the address, now and when it changes. */
export const useHash = (): string => {
  const [hash, setHash] = useState(hashNow)
  useEffect(() => {
    const follow = (): void => setHash(hashNow())
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return hash
}
