import type { JSX } from 'preact'

/** A line with code between backticks. */
export const Prose = ({ text }: { readonly text: string }): JSX.Element => (
  <>{text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}</>
)

/** What a document says at its head: paragraphs, headings and code between backticks. */
export const ProseBlocks = ({ text }: { readonly text: string }): JSX.Element => (
  <>
    {text.split(/\n{2,}/).map((block) =>
      block.startsWith('## ') ? (
        <h2 key={block}>{block.slice(3)}</h2>
      ) : (
        <p key={block}>
          <Prose text={block} />
        </p>
      ),
    )}
  </>
)
