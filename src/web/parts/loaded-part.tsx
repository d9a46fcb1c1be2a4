import * as texts from '#texts/common'
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button } from './buttons.tsx'

/** A component whose code is loaded when it is shown first: `const Checks = loadedPart(() => import(…))`. */
export function loadedPart<P extends object>(load: () => Promise<ComponentType<P>>) {
  let loaded: ComponentType<P> | null = null
  return function LoadedPart(props: P) {
    const [, show] = useState({})
    const [hasFailed, setFailed] = useState(false)
    useEffect(() => {
      if (loaded !== null) return
      const take = (part: ComponentType<P>): void => {
        loaded = part
        show({})
      }
      load().then(take, () => setFailed(true))
    }, [])
    const Part = loaded
    if (Part !== null) return <Part {...props} />
    if (hasFailed) {
      // Browsers do not ask again for a module that could not be loaded, as long as the page is open.
      return (
        <p class="part-wait" role="alert">
          {texts.partFailed} <Button label={texts.reload} onClick={() => location.reload()} />
        </p>
      )
    }
    return (
      <p class="part-wait quiet-text" role="status">
        {texts.loading}
      </p>
    )
  }
}
