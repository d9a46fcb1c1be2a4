import * as texts from '#texts/common'
import { useEffect, useState } from 'preact/hooks'
import { later, leaveTo } from '../browser.ts'
import { keep, takeKept } from '../kept.ts'

type Toast = {
  readonly id: number
  readonly text: string
  readonly tone: 'plain' | 'danger'
  readonly undo?: Undo | undefined
}

/** Takes back what was done, while the toast is there. */
type Undo = {
  readonly run: () => void
  /** Whether it is still done: what was taken back otherwise loses its toast with the next one. */
  readonly isDone: () => boolean
}

let show: (toast: Toast) => void = () => {}

/** How long a toast stays, in ms; one that can be pressed, until one has come to it. */
const STAY = 5_000
const STAY_FOR_PRESS = 20_000

/** The last thing that was announced, for a while, and what can be taken back; a live region all the time. */
export function Toasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const end = (toast: Toast): void => setToasts((now) => now.filter((each) => each !== toast))
  show = (toast) => {
    setToasts((before) => [...before.filter(({ undo }) => undo?.isDone()), toast])
    later(toast.undo ? STAY_FOR_PRESS : STAY, () => end(toast))
  }
  useEffect(() => {
    const done = takeKept('done')
    if (done !== null) announce(done)
  }, [])
  return (
    <div class="toasts" role="status" aria-atomic="false">
      {toasts.map((toast) => (
        <p key={toast.id} class={`toast ${toast.tone}`}>
          {toast.text}
          {toast.undo && (
            <button
              type="button"
              class="toast-undo"
              onClick={() => {
                end(toast)
                toast.undo?.run()
              }}
            >
              {texts.undo}
            </button>
          )}
        </p>
      ))}
    </div>
  )
}

let count = 0

/** Shows a message that needs no answer: `Pack key copied`. */
export const announce = (text: string, tone: Toast['tone'] = 'plain', undo?: Undo): void =>
  show({ id: ++count, text, tone, undo })

/** Leaves this page for one that says what was done: what it was done to is not there any more. */
export function leaveFor(path: string, done: string): Promise<void> {
  keep('done', done)
  return leaveTo(path)
}

/** A state that becomes null again so many ms after it was set. */
export function useBrief<T>(ms: number) {
  const [value, setValue] = useState<T | null>(null)
  useEffect(() => later(ms, () => setValue(null)), [value])
  return [value, setValue] as const
}
