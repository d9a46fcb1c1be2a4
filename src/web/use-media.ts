import { useEffect, useState } from 'preact/hooks'

/** The page is as narrow as a phone; the same bound as in the style sheets. */
export const NARROW = '(max-width: 759px)'

/** Whether a media query holds, now and when it changes. */
export const useMedia = (query: string): boolean => {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const follow = (): void => setMatches(media.matches)
    follow()
    media.addEventListener('change', follow)
    return () => media.removeEventListener('change', follow)
  }, [query])
  return matches
}
