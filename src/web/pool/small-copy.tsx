import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { announce } from '../announce.ts'
import { Icon } from '../parts/icon.tsx'

const CONFIRMED_MS = 2_000

type Props = {
  readonly text: string
  /** Shown: `ID`. */
  readonly label: string
  /** What is copied: `ID of NM1`. Begins with the label, so that it can be asked for by voice. */
  readonly what: string
}

/** Copies a text by one press, where there is little room. */
export const SmallCopy = ({ text, label, what }: Props): JSX.Element => {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return undefined
    const timer = setTimeout(() => setDone(false), CONFIRMED_MS)
    return () => clearTimeout(timer)
  }, [isDone])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setDone(true)
      announce(`${what} copied`)
    } catch {
      announce(`Your browser did not allow copying. It is: ${text}`, 'danger')
    }
  }
  return (
    <button
      type="button"
      class="small-copy"
      title={`Copy ${text}`}
      aria-label={`${label}: copy ${what}`}
      onClick={() => void copy()}
    >
      {label}
      <Icon name={isDone ? 'check' : 'copy'} />
    </button>
  )
}
