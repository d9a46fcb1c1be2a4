import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** How wide an element is, in pixels, before anything is painted and whenever it changes. */
export const useWidth = (element: RefObject<Element | null>, before: number): number => {
  const [width, setWidth] = useState(before)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return undefined
    const measure = (): void => setWidth(current.getBoundingClientRect().width || before)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return width
}
