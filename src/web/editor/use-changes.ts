import { useEffect, useReducer } from 'preact/hooks'

type Changing = { onChange: (listener: () => void) => () => void }

/** Renders anew whenever one of these changes. They must be the same each time. */
export const useChanges = (...sources: readonly Changing[]): void => {
  const [, renew] = useReducer((times: number) => times + 1, 0)
  useEffect(() => {
    const ends = sources.map((source) => source.onChange(() => renew(undefined)))
    return () => {
      for (const end of ends) end()
    }
  }, sources)
}
