import { useEffect, useRef } from 'preact/hooks'

/** What the page does whatever has the focus. */
export type PageKeys = {
  readonly save: () => void
  readonly undo: () => void
  readonly redo: () => void
  /** A text was pasted outside of any field. */
  readonly paste: (text: string) => void
}

const isField = (target: EventTarget | null): target is HTMLElement =>
  target instanceof HTMLElement &&
  target.matches('textarea, select, input:not([type=radio], [type=checkbox], [type=file])')

/** A field in which something is half typed undoes its own typing. */
const undoesItself = (target: EventTarget | null): boolean =>
  isField(target) && target.dataset['isSettled'] === undefined

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('dialog') !== null

/** Saving, undo, redo and paste by their usual keys, on the whole page. */
export const usePageKeys = (keys: PageKeys): void => {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event
      if ((!ctrlKey && !metaKey) || altKey || isInDialog(target)) return
      const letter = key.toLowerCase()
      const { save, undo, redo } = latest.current
      if (letter === 's') {
        event.preventDefault()
        if (!isField(target)) {
          save()
          return
        }
        // What is half typed counts, once the page knows of it.
        target.blur()
        target.focus()
        setTimeout(() => latest.current.save())
      } else if ((letter === 'z' || letter === 'y') && !undoesItself(target)) {
        event.preventDefault()
        if (letter === 'y' || shiftKey) redo()
        else undo()
      }
    }
    const paste = (event: ClipboardEvent): void => {
      if (event.defaultPrevented || isField(event.target) || isInDialog(event.target)) return
      const text = event.clipboardData?.getData('text/plain') ?? ''
      if (text.trim() === '') return
      event.preventDefault()
      latest.current.paste(text)
    }
    addEventListener('keydown', press)
    addEventListener('paste', paste)
    return () => {
      removeEventListener('keydown', press)
      removeEventListener('paste', paste)
    }
  }, [])
}
