import type { ComponentChildren, JSX } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { CopyButton } from '../parts/copying.tsx'
import '../style/code.css'

type CodeBlockProps = {
  readonly text: string
  /** What it is, to name it: `command`. */
  readonly what: string
}

/** Text of a program, and a button that copies it. */
export const CodeBlock = ({ text, what }: CodeBlockProps): JSX.Element => (
  <div class="code-block">
    <ScrollBox label={`Scrollable ${what}`}>
      <pre>
        <code>{text}</code>
      </pre>
    </ScrollBox>
    <CopyButton tone="quiet" text={text} what={what} />
  </div>
)

type ScrollBoxProps = {
  readonly class?: string
  /** What is in it: `Table: Limits`. */
  readonly label: string
  readonly children: ComponentChildren
}

/** Scrolls sideways what is too wide, by keyboard too; no stop for those who tab by where it fits. */
export function ScrollBox({ class: name = '', label, children }: ScrollBoxProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  const [isTooWide, setTooWide] = useState(false)
  const measure = useCallback(() => {
    const { current } = box
    if (current === null) return
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = current
    setTooWide(scrollWidth > clientWidth || scrollHeight > clientHeight)
  }, [])
  // What is in it may have changed while its own size did not.
  useLayoutEffect(measure)
  useEffect(() => {
    if (box.current === null) return undefined
    const observer = new ResizeObserver(measure)
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [measure])
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
