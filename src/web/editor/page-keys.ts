import { signal } from '@preact/signals'
import type { EditorModel } from './model.ts'

/** A file is being held over the page. */
export const isFileOver = signal(false)

/**
 * What the page does whatever has the focus: saving, undo, redo and paste by their usual keys, and
 * files that are dropped anywhere. Returns a function that ends it.
 */
export function listenToPage(model: EditorModel): () => void {
  const stop = new AbortController()
  const { signal } = stop
  addEventListener('keydown', (event) => pressKey(event, model), { signal })
  addEventListener('paste', (event) => pasteText(event, model), { signal })
  addEventListener('dragover', dragOver, { signal })
  addEventListener('dragleave', dragLeave, { signal })
  addEventListener('drop', (event) => dropFile(event, model), { signal })
  return () => stop.abort()
}

function pressKey(event: KeyboardEvent, model: EditorModel): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event
  if ((!ctrlKey && !metaKey) || altKey || isInDialog(target)) return
  const letter = key.toLowerCase()
  if (letter === 's') {
    event.preventDefault()
    if (isField(target)) {
      // What is half typed counts.
      target.blur()
      target.focus()
    }
    model.save()
  } else if ((letter === 'z' || letter === 'y') && !undoesItself(target)) {
    event.preventDefault()
    if (letter === 'y' || shiftKey) model.redo()
    else model.undo()
  }
}

/** A text that is pasted outside of any field is one for the paste box. */
function pasteText(event: ClipboardEvent, { paste }: EditorModel): void {
  if (event.defaultPrevented || isField(event.target) || isInDialog(event.target)) return
  const text = event.clipboardData?.getData('text/plain') ?? ''
  if (text.trim() === '') return
  event.preventDefault()
  paste.open(text)
}

function dragOver(event: DragEvent): void {
  if (!hasFile(event)) return
  event.preventDefault()
  isFileOver.value = true
}

function dragLeave({ relatedTarget }: DragEvent): void {
  if (relatedTarget === null) isFileOver.value = false
}

function dropFile(event: DragEvent, { paste }: EditorModel): void {
  isFileOver.value = false
  if (!hasFile(event)) return
  event.preventDefault()
  const [file] = event.dataTransfer?.files ?? []
  if (file !== undefined) void paste.openFile(file)
}

function hasFile({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false
}

function isField(target: EventTarget | null): target is HTMLElement {
  return (
    target instanceof HTMLElement &&
    target.matches('textarea, select, input:not([type=radio], [type=checkbox], [type=file])')
  )
}

/** A field in which something is half typed undoes its own typing. */
function undoesItself(target: EventTarget | null): boolean {
  return isField(target) && target.dataset['isSettled'] === undefined
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('dialog') !== null
}
