import { noTarget } from '../../../pool/beatmap-links.ts'
import { addressesIn } from './addresses.ts'
import { tidy } from './labels.ts'
import type { Planned } from './planned.ts'

/** In place of the signs of no width with which `writeBbcode` parts what would begin a tag or an address. */
const GUARD = '\ufdd0'
const parting = /(?<=\[)\u200b(?=[/*a-z])|(?<=:)\u200b(?=\/\/)|(?<=[\s\]])\u200b(?=[\p{P}\p{S}])/giu

/** A line whose titles make no markup where they do not in a post, until `asWritten` has them. */
export function withGuards(line: string): string {
  return line.includes('\u200b') ? line.replaceAll(parting, GUARD) : line
}

/** A text in which names of maps that read like beatmaps are none, as `writeBbcode` marks them. */
export function withoutTargets(text: string): string {
  return text.replaceAll(noTarget, GUARD)
}

/**
 * What was read of the tidy form of a line, with the signs of the line itself: labels and numbers are the same in wide
 * signs, titles are not.
 */
export function asWritten(planned: Planned, line: string): Planned {
  if (!/[^\0-\xff]/.test(line)) return planned
  const { placeholder, details, link } = planned
  const written = signsOf(line)
  const texts = Object.entries(details ?? {}).map(([name, text]) => [name, written(text)] as const)
  return {
    ...planned,
    ...(placeholder !== undefined && { placeholder: written(placeholder) }),
    ...(details !== undefined && { details: Object.fromEntries(texts) }),
    ...(link !== undefined && { link: linkOf(link, line) }),
  }
}

function linkOf(link: string, line: string): string {
  const [read, own] = [addressesIn(tidy(line)), addressesIn(line)]
  const at = read.findIndex(({ url }) => url === link)
  return own.length === read.length ? (own[at]?.url ?? link) : link
}

/** Those that join letters and emoji, or say which way a text runs, are parts of a title. */
const hidden = /[\u00ad\u200b\u202a-\u202e\u2060-\u2069\ufdd0\ufeff]/g

/** Gives a part of the tidy line the signs of the line; one that is not found as it is, word by word. */
function signsOf(line: string): (part: string) => string {
  const places: number[] = []
  let plain = ''
  for (let at = 0; at < line.length; at += 1) {
    const unit = line.charAt(at)
    const sign = /\s/.test(unit) ? ' ' : tidy(unit)
    if (sign === '') continue
    places.push(at)
    plain += sign
  }
  // The same may be within a word of another part.
  const isApart = (at: number, length: number): boolean =>
    /^[\s()[\]]*$/.test(plain.charAt(at - 1) + plain.charAt(at + length))
  const find = (part: string, from: number): string | null => {
    const first = plain.indexOf(part, from)
    let at = first
    while (at >= 0 && !isApart(at, part.length)) at = plain.indexOf(part, at + 1)
    if (at < 0) at = first
    if (at < 0) return null
    last = at + part.length
    return line.slice(places[at], places[last - 1]! + 1).replace(hidden, '')
  }
  let last = 0
  return (part) => {
    last = 0
    const whole = find(part, 0) ?? part.replace(/\S+/g, (word) => find(word, last) ?? word)
    return whole.replaceAll(GUARD, '')
  }
}
