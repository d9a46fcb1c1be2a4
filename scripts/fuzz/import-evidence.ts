import { foldCode } from '../../src/pool/slots.ts'
import { codesByWord } from '../../src/formats/import/words/labels.ts'

/** What a text contains, found in other ways than the readers do: a slot made of anything else is a guess. */
export class Evidence {
  readonly #numbers: ReadonlySet<number>
  readonly #folded: string
  readonly #squeezed: string
  readonly #codes = new Map<string, boolean>()

  constructor(text: string) {
    const written = unescaped(text)
    const plain = written.normalize('NFKC').replaceAll(invisible, '')
    this.#numbers = numbersOf(`${plain}\n${written}`)
    this.#folded = foldCode(plain)
    // Some signs have letters and digits in their plain forms, and are none as they are written.
    this.#squeezed = `${squeezed(this.#folded)}\n${squeezed(foldCode(written))}`
  }

  hasNumber(value: number): boolean {
    return this.#numbers.has(value)
  }

  /** Whether a bucket's code is in the text, each mod of it is, or a word for it. */
  hasCode(code: string): boolean {
    const fold = foldCode(code.normalize('NFKC'))
    const known = this.#codes.get(fold)
    if (known !== undefined) return known
    const parts = fold.match(/../g) ?? []
    const isThere =
      this.#squeezed.includes(fold) || parts.every((part) => this.#hasWord(foldCode(part)))
    this.#codes.set(fold, isThere)
    return isThere
  }

  #hasWord(code: string): boolean {
    if (this.#folded.includes(code)) return true
    return [...codesByWord].some(
      ([word, named]) =>
        named === code && this.#squeezed.includes(foldCode(word.normalize('NFKC'))),
    )
  }
}

const squeezed = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '')

const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** The text, and if it has escapes, the text with what they mean in strings after it. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  const meant = text.replaceAll(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|.)/gi, (whole, unit, byte) => {
    const code = (unit ?? byte) as string | undefined
    return code === undefined ? whole.slice(1) : String.fromCharCode(Number.parseInt(code, 16))
  })
  return `${text}\n${meant}`
}

function numbersOf(text: string): ReadonlySet<number> {
  const runs = text.match(/\d+/g) ?? []
  const grouped = text.match(/\d{1,3}(?:[,.'’_ \u00a0\u202f]\d{3})+/g) ?? []
  const scientific = text.match(/\d+(?:\.\d+)?e[+-]?\d+|0x[\da-f]+/gi) ?? []
  // A link that its line ends, and the number below it.
  const broken = [...text.matchAll(/(?<=\/)(\d+)[ \t]*[\r\n]+[ \t]*(\d+)/g)]
  const joined = broken.map(([, first, second]) => `${first}${second}`)
  const numbers = [
    ...runs,
    ...joined,
    ...grouped.map((each) => each.replaceAll(/\D/g, '')),
    ...scientific,
  ]
  return new Set(numbers.map(Number))
}
