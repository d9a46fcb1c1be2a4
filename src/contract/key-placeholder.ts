/** A whole key after its prefix: what no placeholder looks like. */
const WHOLE = /_[A-Za-z0-9_-]{43}$/
/** `<API_KEY>`, `{{key}}`, `[object Object]`, `$KEY`, `${KEY}`, `%KEY%`. */
const TEMPLATE = /^(?:<.*>|\{.*\}|\[.*\]|\$.*|%.*%)$/s
/** The letters of `undefined`, `YOUR_API_KEY`, `packs_xxxx`, `paste-your-key-here`. */
const WORDS =
  /^(?:undefined|null|nil|none|nan|true|false|changeme|replaceme|todo|tbd|placeholder|example|secret|(?:packs|pools)?x{3,}|(?:insert|paste|put|enter|add|replace|with|this|your|my|the|own|an?|actual|real|mapcrate|packs|pools|personal|access|bearer|api)*(?:key|token|secret)(?:here|goes|value|string)*)$/

/** Whether this is no key but a placeholder: an unset variable, a raw template, an example word. */
export function isKeyPlaceholder(text: string): boolean {
  if (text.length > 100 || WHOLE.test(text)) return false
  const letters = text.toLowerCase().replaceAll(/[^a-z]/g, '')
  return TEMPLATE.test(text) || !/[a-z0-9]/i.test(text) || WORDS.test(letters)
}
