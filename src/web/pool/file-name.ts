/** What file systems refuse, or programs stumble over. */
const AWKWARD = /[\\/:*?"<>|\p{Cc}\p{Zl}\p{Zp}]+/gu

/** A name for a file about a pool, without its ending: `OWC 2023 Finals`. */
export const fileStem = (name: string): string => {
  const stem = name
    .replaceAll(AWKWARD, '-')
    .replaceAll(/^[.\s-]+|[.\s-]+$/g, '')
    .trim()
  return stem === '' ? 'pack' : stem
}
