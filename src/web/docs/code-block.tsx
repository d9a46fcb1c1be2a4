import type { JSX } from 'preact'
import { CopyButton } from '../parts/buttons.tsx'
import { ScrollBox } from './scroll-box.tsx'
import '../style/code.css'

type Props = {
  readonly text: string
  /** What it is, to name it: `command`. */
  readonly what: string
}

/** Text of a program, and a button that copies it. */
export const CodeBlock = ({ text, what }: Props): JSX.Element => (
  <div class="code-block">
    <ScrollBox label={`Scrollable ${what}`}>
      <pre>
        <code>{text}</code>
      </pre>
    </ScrollBox>
    <CopyButton tone="quiet" text={text} what={what} />
  </div>
)
