import type { ComponentChildren } from 'preact'
import { NARROW, useMedia } from '../browser.ts'
import { isServed } from '../page-data.ts'

type ByWidthProps = { readonly narrow: ComponentChildren; readonly wide: ComponentChildren }

/**
 * What looks otherwise on a phone. The server does not know the width and sends both, of which the style
 * sheet shows one; the other is gone as soon as a script runs.
 */
export function ByWidth({ narrow, wide }: ByWidthProps) {
  const isNarrow = useMedia(NARROW)
  const isBoth = isServed()
  return (
    <>
      {(isBoth || isNarrow) && (
        <div key="narrow" class="only-narrow">
          {narrow}
        </div>
      )}
      {(isBoth || !isNarrow) && (
        <div key="wide" class="only-wide">
          {wide}
        </div>
      )}
    </>
  )
}
