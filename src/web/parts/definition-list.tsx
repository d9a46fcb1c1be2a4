import type { ComponentChildren } from 'preact'

type DefinitionListProps = {
  readonly class?: string
  readonly entries: readonly (readonly [term: ComponentChildren, definition: ComponentChildren])[]
}

/** A `<dl>` with an element around each pair, for the style sheets. */
export const DefinitionList = ({ class: name, entries }: DefinitionListProps) => (
  <dl class={name}>
    {entries.map(([term, definition], at) => (
      <div key={at}>
        <dt>{term}</dt>
        <dd>{definition}</dd>
      </div>
    ))}
  </dl>
)
