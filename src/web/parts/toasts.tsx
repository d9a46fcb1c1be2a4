import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { onToast, type Toast } from '../announce.ts'

const SHOWN_MS = 5_000

/** The last thing that was announced, for a while; a live region all the time. */
export const Toasts = (): JSX.Element => {
  const [toast, setToast] = useState<Toast | null>(null)
  useEffect(() => onToast(setToast), [])
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
