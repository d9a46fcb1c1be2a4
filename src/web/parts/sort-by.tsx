import * as texts from '#texts/common'
import { Button } from './buttons.tsx'
import { Select } from './inputs.tsx'

type SortByProps<K extends string> = {
  /** Of each order, its name, and what comes first, usually and reversed. */
  readonly orders: Readonly<Record<K, readonly [name: string, usual: string, reversed: string]>>
  /** Those that can be chosen. */
  readonly keys: readonly K[]
  readonly sort: K
  readonly isReversed: boolean
  readonly change: (changes: { readonly sort?: K; readonly isReversed: boolean }) => void
  readonly class?: string
}

/** Chooses the order of a list, and reverses it. */
export const SortBy = <K extends string>(props: SortByProps<K>) => {
  const { orders, keys, sort, isReversed, change, class: name } = props
  return (
    <>
      <label class={name}>
        <span class="sr-only">{texts.sortBy}</span>
        <Select
          value={sort}
          options={keys.map((key) => [key, orders[key][0]] as const)}
          onPick={(key) => change({ sort: key, isReversed: false })}
        />
      </label>
      <Button icon="reverse" onClick={() => change({ isReversed: !isReversed })}>
        <span class="toolbar-direction">{orders[sort][isReversed ? 2 : 1]}</span>
      </Button>
    </>
  )
}
