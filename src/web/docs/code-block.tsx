import { CopyButton } from '../parts/copying.tsx'
import { ScrollBox } from '../parts/scroll-box.tsx'
import '../style/code.css'

/** Code, and a button that copies it; `what` names the code: `command`. */
export const CodeBlock = ({ text, what }: { text: string; what: string }) => (
  <div class="code-block">
    <ScrollBox label={`Scrollable ${what}`}>
      <pre>
        <code>{text}</code>
      </pre>
    </ScrollBox>
    <CopyButton tone="quiet" text={text} what={what} />
  </div>
)
