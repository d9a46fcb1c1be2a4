/** What the frame shows at the foot of the window and tells screen readers. */
export type Toast = {
  readonly text: string
  readonly tone: 'plain' | 'danger'
}

type Listener = (toast: Toast) => void

const listeners = new Set<Listener>()

/** Hears of every toast until the function that it gives is called. */
export const onToast = (listener: Listener): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Tells people something that needs no answer: `Pack key copied`. */
export const announce = (text: string, tone: Toast['tone'] = 'plain'): void => {
  for (const listener of listeners) listener({ text, tone })
}
