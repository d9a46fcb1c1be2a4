import { useEffect, useState } from 'preact/hooks'
import { announce } from './announce.ts'

const CONFIRMED_MS = 2_000

/** How copying ends, in words. */
export type CopyWords = { readonly done: string; readonly refused: string }

/** Copies a text and says so; `isDone` for a moment after it was copied. */
export const useCopy = (text: string, { done, refused }: CopyWords, onCopied?: () => void) => {
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
      onCopied?.()
      announce(done)
    } catch {
      announce(refused, 'danger')
    }
  }
  return { isDone, copy }
}
