/** Long after the browser has taken it. */
const KEPT_MS = 60_000

/** Hands a file over to the browser's downloads. */
export const saveFile = (name: string, content: BlobPart, mediaType: string): void => {
  const url = URL.createObjectURL(new Blob([content], { type: mediaType }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
}
