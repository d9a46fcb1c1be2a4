import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

type Props = {
  readonly class?: string
  /** What is in it: `Table: Limits`. */
  readonly label: string
  readonly children: ComponentChildren
}

/** Scrolls sideways what is too wide, by keyboard too; no stop for those who tab by where it fits. */
export const ScrollBox = ({ class: name = '', label, children }: Props): JSX.Element => {
  const box = useRef<HTMLDivElement>(null)
  const [isTooWide, setTooWide] = useState(false)
  useEffect(() => {
    const { current } = box
    if (current === null) return undefined
    const measure = (): void =>
      setTooWide(
        current.scrollWidth > current.clientWidth || current.scrollHeight > current.clientHeight,
      )
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    // What is in it may grow while it stays as it is.
    for (const child of current.children) observer.observe(child)
    return () => observer.disconnect()
  }, [])
  return (
    <div
      ref={box}
      class={`scroll-box ${name}`}
      {...(isTooWide && { tabIndex: 0, role: 'group', 'aria-label': label })}
    >
      {children}
    </div>
  )
}
