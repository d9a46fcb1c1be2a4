import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'

type Toast = { readonly text: string; readonly tone: 'plain' | 'danger' }

const SHOWN_MS = 5_000

/** The last thing that was announced, for a while; a live region all the time. */
export function Toasts(): JSX.Element {
  const [toast, setToast] = useState<Toast | null>(null)
  useEffect(() => {
    listeners.add(setToast)
    return () => {
      listeners.delete(setToast)
    }
  }, [])
  useEffect(() => {
    if (toast === null) return undefined
    const timer = setTimeout(() => setToast(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [toast])
  return (
    <div class="toasts" role="status">
      {toast && <p class={`toast ${toast.tone}`}>{toast.text}</p>}
    </div>
  )
}

const listeners = new Set<(toast: Toast) => void>()

/** Tells people something that needs no answer: `Pack key copied`. */
export function announce(text: string, tone: Toast['tone'] = 'plain'): void {
  for (const listener of listeners) listener({ text, tone })
}
