import { CodeBlock } from '../docs/code-block.tsx'

/** Code of the reference; `what` names it: `example`. */
export const Code = ({ text, what }: { text: string; what: string }) => (
  <CodeBlock
    text={text}
    names={{
      scrollable: `Scrollable ${what}`,
      copy: `Copy ${what}`,
      copied: `${what.charAt(0).toUpperCase()}${what.slice(1)} copied`,
    }}
  />
)
