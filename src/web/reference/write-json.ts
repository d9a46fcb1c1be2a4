/** The longest line to aim for, in characters: a slot fits, as deep as it stands. */
const WIDTH = 60

/**
 * @param lead what stands on the line before the value, indent and key, in characters.
 */
const write = (value: unknown, indent: string, lead: number): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const [open, space, close] = isList ? ['[', '', ']'] : ['{', ' ', '}']
  const parts = Object.entries(value).map(([key, part]: [string, unknown]) => {
    const label = isList ? '' : `${JSON.stringify(key)}: `
    return label + write(part, inner, inner.length + label.length)
  })
  if (parts.length === 0) return open + close
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  return lead + line.length < WIDTH && !line.includes('\n')
    ? line
    : `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`
}

/** JSON for people: what fits into a line stands on one, so that twenty slots are twenty lines. */
export const writeJson = (value: unknown): string => write(value, '', 0)
