import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { CopyButton } from '../parts/copying.tsx'
import '../style/code.css'

/** The language of an element: nothing where it is that of what is around it. */
export type InLanguage = { readonly lang?: string; readonly dir?: 'ltr' }

type CodeBlockProps = {
  readonly text: string
  /** In words, with the kind of code: `Scrollable command`, `Copy command`, `Command copied`. */
  readonly names: { readonly scrollable: string; readonly copy: string; readonly copied: string }
  /** Of `names`. */
  readonly inLanguage?: InLanguage
}

/** Code, and a button that copies it. */
export const CodeBlock = ({ text, names, inLanguage }: CodeBlockProps) => (
  <div class="code-block" {...inLanguage}>
    <ScrollBox label={names.scrollable}>
      <pre>
        <code>{text}</code>
      </pre>
    </ScrollBox>
    <CopyButton tone="quiet" text={text} name={names.copy} copied={names.copied} />
  </div>
)

type ScrollBoxProps = {
  readonly label: string
  /** Of the label. */
  readonly inLanguage?: InLanguage
  readonly children: ComponentChildren
}

/** Scrolls what is too wide, by keyboard too; no tab stop if everything fits. */
export function ScrollBox({ label, inLanguage, children }: ScrollBoxProps) {
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
      {...inLanguage}
      {...(isTooWide && { tabIndex: 0, role: 'group', 'aria-label': label })}
    >
      {children}
    </div>
  )
}
