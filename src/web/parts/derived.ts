import { computed } from '@preact/signals'
import { useMemo } from 'preact/hooks'

/**
 * What `compute` makes of signals and of `inputs`, which are all else that it reads. The component is rendered again
 * when the result changes, and for no other change of the signals.
 */
export const useDerived = <T>(compute: () => T, inputs: readonly unknown[]): T =>
  // `useComputed` takes no inputs: it would keep the result of the first ones until a signal changes.
  useMemo(() => computed(compute), inputs).value
