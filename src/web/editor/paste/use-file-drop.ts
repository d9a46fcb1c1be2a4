import { useEffect, useRef, useState } from 'preact/hooks'

/** Takes a file that is dropped anywhere on the page; whether one is being held over it. */
export const useFileDrop = (onFile: (file: File) => void): boolean => {
  const [isOver, setOver] = useState(false)
  const latest = useRef(onFile)
  latest.current = onFile
  useEffect(() => {
    const hasFile = ({ dataTransfer }: DragEvent): boolean =>
      dataTransfer?.types.includes('Files') ?? false
    const over = (event: DragEvent): void => {
      if (!hasFile(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent): void => {
      setOver(false)
      if (!hasFile(event)) return
      event.preventDefault()
      const [file] = event.dataTransfer?.files ?? []
      if (file !== undefined) latest.current(file)
    }
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}
