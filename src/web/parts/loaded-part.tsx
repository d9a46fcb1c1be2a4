import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button } from './buttons.tsx'

/** A component whose code is loaded when it is shown first: `const Checks = loadedPart(() => import(…))`. */
export function loadedPart<P extends object>(load: () => Promise<ComponentType<P>>) {
  let loaded: ComponentType<P> | null = null
  return function LoadedPart(props: P) {
    const [, show] = useState({})
    const [hasFailed, setFailed] = useState(false)
    const start = async (): Promise<void> => {
      setFailed(false)
      try {
        loaded = await load()
        show({})
      } catch {
        setFailed(true)
      }
    }
    useEffect(() => {
      if (loaded === null) void start()
    }, [])
    const Part = loaded
    if (Part !== null) return <Part {...props} />
    if (hasFailed) {
      return (
        <p role="alert">
          This part of the page could not be loaded.{' '}
          <Button label="Try again" onClick={() => void start()} />
        </p>
      )
    }
    return (
      <p class="quiet-text" role="status">
        Loading …
      </p>
    )
  }
}
