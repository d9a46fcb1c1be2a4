import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { announce } from '../../announce.ts'
import { count } from '../../format.ts'
import type { EditorStore } from '../editor-store.ts'
import { focusLater } from '../focus-later.ts'
import type { PasteMode, PasteReading } from './paste-reading.ts'
import { spotId } from '../problems.ts'
import type { FilePool } from './read-file.ts'

/** A file that was opened: what it holds, or why it could not be read. */
export type OpenFile = {
  readonly name: string
  readonly pools: readonly FilePool[]
  /** Which of the pools stands in the box. */
  readonly chosen: number | null
  readonly problem: string | null
}

/** The paste box: whether it is open, and what stands in it. */
export type Paste = {
  readonly isOpen: boolean
  readonly text: string
  readonly mode: PasteMode
  readonly file: OpenFile | null
  readonly field: RefObject<HTMLTextAreaElement | null>
  /** Opens the box, with a text behind the one that stands there. */
  readonly open: (text?: string) => void
  readonly openFile: (file: File) => void
  /** Takes one of the pools of the file. */
  readonly choose: (at: number) => void
  readonly close: () => void
  readonly setText: (text: string) => void
  readonly setMode: (mode: PasteMode) => void
  /** Takes what was understood; the rest stays. */
  readonly take: (reading: PasteReading) => void
}

const behind = (before: string, more: string): string =>
  before.trim() === '' || more === '' ? before + more : `${before.trimEnd()}\n${more}`

/** Loads what reads files when there is one. */
const readLazily = async (file: File) => {
  const { readFile } = await import('./read-file.ts')
  return readFile(new Uint8Array(await file.arrayBuffer()), file.name)
}

export const usePaste = (store: EditorStore): Paste => {
  const [isOpen, setOpen] = useState(store.edit.slots.length === 0)
  const [text, setText] = useState('')
  const [mode, setMode] = useState<PasteMode>('add')
  const [file, setFile] = useState<OpenFile | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const [wishes, setWishes] = useState(0)
  useEffect(() => {
    if (wishes > 0) field.current?.focus()
  }, [wishes])

  const open = (more = ''): void => {
    setText((before) => behind(before, more))
    setOpen(true)
    setWishes((before) => before + 1)
  }

  const takePool = ({ text: lines, name, description }: FilePool): void => {
    setText(lines)
    // What a pack is called already, it stays.
    store.change(`rename to ${name}`, (edit) => ({
      ...edit,
      name: edit.name.trim() === '' ? name : edit.name,
      description: edit.description.trim() === '' ? description : edit.description,
    }))
  }

  const openFile = async (from: File): Promise<void> => {
    setOpen(true)
    const opened = { name: from.name, pools: [], chosen: null, problem: null }
    try {
      const content = await readLazily(from)
      if (content.kind === 'text') {
        setFile(null)
        open(content.text)
        return
      }
      const { pools } = content
      const [only] = pools
      const isOne = pools.length === 1 && only !== undefined
      setFile({ ...opened, pools, chosen: isOne ? 0 : null })
      if (isOne) takePool(only)
      else focusLater('edit-file-pool')
    } catch (error) {
      const isOurs = error instanceof Error && error.name === 'FormatError'
      setFile({
        ...opened,
        problem: isOurs ? error.message : 'the browser could not open the file',
      })
    }
  }

  const take = ({ edit, added, rest }: PasteReading): void => {
    const before = new Set(store.edit.slots.map(({ key }) => key))
    const words = count(added, 'beatmap')
    store.change(`paste ${words}`, () => edit)
    setText(rest)
    setMode('add')
    setFile(null)
    const left = rest === '' ? 0 : rest.split('\n').length
    announce(`${words} added${left === 0 ? '' : `, ${count(left, 'line')} left in the box`}`)
    if (left > 0) {
      field.current?.focus()
      return
    }
    setOpen(false)
    const first = edit.slots.find(({ key }) => !before.has(key)) ?? edit.slots[0]
    if (first !== undefined) focusLater(spotId({ kind: 'slot', key: first.key }))
  }

  return {
    isOpen,
    text,
    mode,
    file,
    field,
    setText,
    setMode,
    take,
    open,
    openFile: (from) => void openFile(from),
    choose: (at) => {
      const pool = file?.pools[at]
      if (file === null || pool === undefined) return
      setFile({ ...file, chosen: at })
      takePool(pool)
    },
    close: () => {
      setOpen(false)
      setFile(null)
      focusLater('edit-open-paste')
    },
  }
}
