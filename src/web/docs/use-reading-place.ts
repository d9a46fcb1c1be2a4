import { useEffect, useState } from 'preact/hooks'

/** How far below the top of the window one reads, in pixels. */
const READING_LINE = 120

const elementOf = (id: string): HTMLElement | null => document.getElementById(id)

/** The last of these elements that one has come to; null above the first. */
const placeNow = (ids: readonly string[]): string | null => {
  const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 1
  const line = isAtEnd ? innerHeight : READING_LINE
  const passed = ids.filter((id) => (elementOf(id)?.getBoundingClientRect().top ?? line) < line)
  return passed.at(-1) ?? null
}

/**
 * Which of these headings one is reading under. Also goes to the one that the address names: it was
 * not there yet when the browser looked for it.
 */
export const useReadingPlace = (ids: readonly string[]): string | null => {
  const [place, setPlace] = useState<string | null>(null)
  useEffect(() => {
    const wanted = decodeURIComponent(location.hash.slice(1))
    if (ids.includes(wanted)) elementOf(wanted)?.scrollIntoView()
    let frame = 0
    const follow = (): void => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => setPlace(placeNow(ids)))
    }
    follow()
    addEventListener('scroll', follow, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', follow)
    }
  }, [ids])
  return place
}
