import type { JSX } from 'preact'
import { Icon } from '../parts/icons.tsx'
import { withAddresses } from './addresses.ts'
import { CodeBlock } from './code-block.tsx'
import { guideHtml } from './guide-html.ts'
import { GuideTable } from './guide-table.tsx'
import type { Guide, GuideBlock } from './guide.ts'

/** What a sample is called, by its language. */
const samples: Readonly<Record<string, string>> = {
  sh: 'command',
  js: 'code',
  json: 'JSON',
}

const Heading = ({
  level,
  id,
  text,
  html,
}: Extract<GuideBlock, { kind: 'heading' }>): JSX.Element => {
  const Tag: 'h2' | 'h3' = `h${level}`
  return (
    <div class="docs-heading">
      <Tag id={id} tabIndex={-1} {...guideHtml(html)} />
      <a href={`#${id}`} aria-label={`Link to ${text}`}>
        <Icon name="link" />
      </a>
    </div>
  )
}

const Block = ({ block }: { readonly block: GuideBlock }): JSX.Element => {
  if (block.kind === 'heading') return <Heading {...block} />
  if (block.kind === 'table') return <GuideTable {...block} />
  if (block.kind === 'code') {
    const what = samples[block.language] ?? 'text'
    return <CodeBlock text={withAddresses(block.text)} what={what} />
  }
  return <div class="docs-text" {...guideHtml(block.html)} />
}

/** A guide, to read. */
export const GuideView = ({ guide }: { readonly guide: Guide }): JSX.Element => (
  <article class="docs-article">
    <h1>{guide.title}</h1>
    {guide.blocks.map((block, at) => (
      <Block key={at} block={block} />
    ))}
  </article>
)
