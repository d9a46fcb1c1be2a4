/** A whole key after its prefix: what no placeholder looks like. */
const WHOLE = /_[A-Za-z0-9_-]{43}$/
/** `<API_KEY>`, `{{key}}`, `[object Object]`, `$KEY`, `${KEY}`, `%KEY%`. */
const TEMPLATE = /^(?:<.*>|\{.*\}|\[.*\]|\$.*|%.*%)$/s
/** The letters of `undefined`, `YOUR_API_KEY`, `packs_xxxx`, `paste-your-key-here` and the like. */
const WORDS =
  /^(?:undefined|null|nil|none|nan|true|false|changeme|replaceme|todo|tbd|placeholder|example|secret|(?:packs|pools)?x{3,}|(?:insert|paste|put|enter|add|replace|with|this|your|my|the|own|an?|actual|real|mapcrate|packs|pools|personal|access|bearer|api)*(?:key|token|secret)(?:here|goes|value|string)*)$/
const LONGEST = 100

/**
 * Whether this was sent in place of an API key: what a variable without a value becomes, a template that
 * was not filled in, or a word from an example.
 */
export function isKeyPlaceholder(text: string): boolean {
  if (text.length > LONGEST || WHOLE.test(text)) return false
  const letters = text.toLowerCase().replaceAll(/[^a-z]/g, '')
  return TEMPLATE.test(text) || !/[a-z0-9]/i.test(text) || WORDS.test(letters)
}
