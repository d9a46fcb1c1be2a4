import * as texts from '#texts/common'
import { useEffect, useState } from 'preact/hooks'
import { later, leaveTo } from '../browser.ts'
import { keep, takeKept } from '../kept.ts'

type Toast = {
  readonly id: number
  /** That of the toast in whose place it is. */
  readonly place: number
  readonly text: string
  readonly tone: 'plain' | 'danger'
  /** Left out: that of the page. */
  readonly lang?: 'en' | undefined
  readonly undo?: Undo | undefined
  isPressed?: true
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

/**
 * The last thing that was announced, for a while, and what can be taken back; a live region all the time. One that was
 * pressed keeps its place and the focus, also when it says what came of that: a second press would be on another one's
 * button.
 */
export function Toasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  show = (next) => {
    setToasts((before) => {
      const left = before.filter(({ undo, isPressed }) => undo && (isPressed || undo.isDone()))
      const at = next.undo ? -1 : left.findIndex(({ isPressed }) => isPressed)
      const place = left[at]?.place
      return place ? left.with(at, { ...next, place, isPressed: true }) : [...left, next]
    })
    later(next.undo ? STAY_FOR_PRESS : STAY, () =>
      setToasts((now) => now.filter(({ id }) => id !== next.id)),
    )
  }
  useEffect(() => {
    const done = takeKept('done')
    if (done !== null) announce(done)
  }, [])
  return (
    <div class="toasts" role="status" aria-atomic="false">
      {toasts.map((toast) => (
        <p key={toast.place} class={`toast ${toast.tone}`} lang={toast.lang}>
          {toast.text}
          {(toast.undo || toast.isPressed) && (
            <button
              type="button"
              class="toast-undo"
              aria-disabled={toast.isPressed}
              onClick={() => {
                if (toast.isPressed) return
                toast.isPressed = true
                setToasts((now) => [...now])
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
export const announce = (
  text: string,
  tone: Toast['tone'] = 'plain',
  undo?: Undo,
  lang?: Toast['lang'],
): void => show({ id: ++count, place: count, text, tone, undo, lang })

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
