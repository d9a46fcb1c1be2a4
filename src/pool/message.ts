/** A text with what is put into it, by a table of words. */
type Text = string | ((values: never) => string)
type WordTable = Readonly<Record<string, Text>>

declare const table: unique symbol
/**
 * A message to people, as data: which text of a table, and its values. Each reader has a table of their own, so that the
 * API words it in English and a page in another language. A string, so that equal ones are equal.
 * A table with more texts can word it, too.
 */
export type Message<Words> = string & { readonly [table]: (words: Words) => void }

export type Item = string | number | Inner
/** A message within another one. */
type Inner = { readonly message: string }
/** Several items in one text, as `how` joins them. */
type List = { readonly items: readonly Item[]; readonly how: Join }
export type Join = 'and' | 'or' | 'unit'
type Value = Item | List

type Values<T> = T extends (values: infer V) => string
  ? { readonly [N in keyof V]: V[N] extends number ? number : Value }
  : null

/** Makes a message of a table: `say('tooLong', { most: 50 })`. */
export type Say<Words> = <K extends keyof Words & string>(
  kind: K,
  ...values: Values<Words[K]> extends null ? [] : [values: Values<Words[K]>]
) => Message<Words>

export const sayOf =
  <Words extends WordTable>(): Say<Words> =>
  (kind, ...[values]) =>
    (values === undefined ? kind : kind + JSON.stringify(values)) as Message<Words>

/** The words for messages in a language, and how items are joined in it. */
export type Wording<Words> = {
  readonly words: Words
  readonly join: (items: readonly string[], how: Join) => string
}

/** Words that need more values than those of the message, such as the place that is meant. */
export type WordsWith<Words, More> = {
  readonly [K in keyof Words]: Words[K] extends (values: infer V) => string
    ? (values: V & More) => string
    : string | ((values: More) => string)
}

/** A message, worded. `more`: values that the words need besides its own. */
export function worded<Words extends WordTable>(
  message: Message<Words>,
  wording: Wording<Words>,
  more: object = {},
): string {
  const { words, join } = wording
  const start = message.indexOf('{')
  const text = words[start < 0 ? message : message.slice(0, start)]
  if (typeof text !== 'function') return text ?? message
  const item = (value: Item): string =>
    typeof value === 'object'
      ? worded(value.message as Message<Words>, wording, more)
      : String(value)
  const plain = (value: Value): string | number => {
    if (typeof value === 'number') return value
    return typeof value === 'object' && 'items' in value
      ? join(value.items.map(item), value.how)
      : item(value)
  }
  const values: [string, Value][] =
    start < 0 ? [] : Object.entries(JSON.parse(message.slice(start)))
  const given = Object.fromEntries(values.map(([name, value]) => [name, plain(value)]))
  return (text as (values: object) => string)({ ...more, ...given })
}

/** How English joins: `a and b`, `a or b`, `a, b`. */
export const joinEnglish: Wording<never>['join'] = (items, how) =>
  items.join(how === 'unit' ? ', ' : ` ${how} `)
