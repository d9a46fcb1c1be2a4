import { useEffect, useState } from 'preact/hooks'
import { later } from '../browser.ts'

type Toast = { readonly text: string; readonly tone: 'plain' | 'danger' }

let show: (toast: Toast) => void = () => {}

/** The last thing that was announced, for a while; a live region all the time. */
export function Toasts() {
  const [toast, setToast] = useBrief<Toast>(5_000)
  show = setToast
  return (
    <div class="toasts" role="status">
      {toast && <p class={`toast ${toast.tone}`}>{toast.text}</p>}
    </div>
  )
}

/** Shows a message that needs no answer: `Pack key copied`. */
export const announce = (text: string, tone: Toast['tone'] = 'plain'): void => show({ text, tone })

/** A state that becomes null again so many ms after it was set. */
export function useBrief<T>(ms: number) {
  const [value, setValue] = useState<T | null>(null)
  useEffect(() => later(ms, () => setValue(null)), [value])
  return [value, setValue] as const
}
