type Painter = (text: string) => string

/** Colours, where they are wanted; the text as it is elsewhere. */
export type Paint = {
  readonly bold: Painter
  readonly dim: Painter
  readonly added: Painter
  readonly removed: Painter
}

const code =
  (on: number, off: number): Painter =>
  (text) =>
    text === '' ? '' : `\u001B[${on}m${text}\u001B[${off}m`

const colored: Paint = {
  bold: code(1, 22),
  dim: code(2, 22),
  added: code(32, 39),
  removed: code(31, 39),
}

const same: Painter = (text) => text
const uncolored: Paint = { bold: same, dim: same, added: same, removed: same }

/** Colours only on a terminal; NO_COLOR and FORCE_COLOR, when set, decide, in this order. */
export const paintFor = (
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Paint => {
  const { NO_COLOR: no = '', FORCE_COLOR: force = '', TERM: terminal } = env
  if (no !== '') return uncolored
  const isWanted = force === '' ? stream.isTTY === true && terminal !== 'dumb' : force !== '0'
  return isWanted ? colored : uncolored
}
