import { useEffect, useMemo, useState } from 'preact/hooks'
import { isolate } from '../../pool/text.ts'
import { pageData } from '../page-data.ts'
import { type Opened, readKey, textOfHash } from './read-key.ts'

/** What the key in the address holds, now and when the address changes. */
export const useOpened = (): Opened => {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const follow = (): void => setHash(location.hash)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const opened = useMemo(() => readKey(textOfHash(hash)), [hash])
  useEffect(() => {
    const name = opened.state === 'open' ? isolate(opened.pool.name) : 'Open a pack key'
    document.title = `${name} – ${pageData().siteName}`
  }, [opened])
  return opened
}
