import * as texts from '#texts/docs'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { CopyButton } from '../parts/copying.tsx'
import '../style/code.css'

/** Code, and a button that copies it; `what` names the code: `command`. */
export const CodeBlock = ({ text, what }: { text: string; what: string }) => (
  <div class="code-block">
    <ScrollBox label={texts.scrollable({ what })}>
      <pre>
        <code>{text}</code>
      </pre>
    </ScrollBox>
    <CopyButton
      tone="quiet"
      text={text}
      name={texts.copy({ what })}
      copied={texts.copied({ what: capital(what) })}
    />
  </div>
)

/** At the beginning of a sentence: the docs are in English alone. */
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Scrolls what is too wide, by keyboard too; no tab stop if everything fits. */
export function ScrollBox({ label, children }: { label: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null)
  const [isTooWide, setTooWide] = useState(false)
  // After every render: the content may change without the size of the box.
  useLayoutEffect(() => {
    const element = box.current as HTMLDivElement
    const measure = (): void => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element
      setTooWide(scrollWidth > clientWidth || scrollHeight > clientHeight)
    }
    // At once: what the server has rendered is already there to be used.
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  })
  return (
    <div
      ref={box}
      class="scroll-box"
      {...(isTooWide && { tabIndex: 0, role: 'group', 'aria-label': label })}
    >
      {children}
    </div>
  )
}
