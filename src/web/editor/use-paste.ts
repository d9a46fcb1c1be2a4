import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { announce } from '../announce.ts'
import { count } from '../format.ts'
import type { Edit } from './edit.ts'
import type { EditorStore } from './editor-store.ts'
import { focusLater } from './focus-later.ts'
import type { PasteMode } from './paste-reading.ts'
import { spotId } from './problems.ts'

/** The paste box: whether it is open, and what stands in it. */
export type Paste = {
  readonly isOpen: boolean
  readonly text: string
  readonly mode: PasteMode
  readonly field: RefObject<HTMLTextAreaElement | null>
  /** Opens the box, with a text behind the one that stands there. */
  readonly open: (text?: string) => void
  readonly close: () => void
  readonly setText: (text: string) => void
  readonly setMode: (mode: PasteMode) => void
  readonly take: (edit: Edit, added: number, rest: string) => void
}

export const usePaste = (store: EditorStore): Paste => {
  const [isOpen, setOpen] = useState(store.edit.slots.length === 0)
  const [text, setText] = useState('')
  const [mode, setMode] = useState<PasteMode>('add')
  const field = useRef<HTMLTextAreaElement>(null)
  const [wishes, setWishes] = useState(0)
  useEffect(() => {
    if (wishes > 0) field.current?.focus()
  }, [wishes])

  return {
    isOpen,
    text,
    mode,
    field,
    setText,
    setMode,
    open: (more = '') => {
      setText((before) =>
        before.trim() === '' || more === '' ? before + more : `${before}\n${more}`,
      )
      setOpen(true)
      setWishes((before) => before + 1)
    },
    close: () => {
      setOpen(false)
      focusLater('edit-open-paste')
    },
    take: (edit, added, rest) => {
      const before = new Set(mode === 'add' ? store.edit.slots.map(({ key }) => key) : [])
      const words = count(added, 'beatmap')
      store.change(`Paste ${words}`, () => edit)
      setText(rest)
      setMode('add')
      const left = rest === '' ? 0 : rest.split('\n').length
      announce(`${words} added${left === 0 ? '' : `, ${count(left, 'line')} left in the box`}`)
      if (left > 0) {
        field.current?.focus()
        return
      }
      setOpen(false)
      const first = edit.slots.find(({ key }) => !before.has(key))
      if (first !== undefined) focusLater(spotId({ kind: 'slot', key: first.key }))
    },
  }
}
