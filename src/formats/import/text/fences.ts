import { type BucketCodes, namesBucket } from '../words/labels.ts'
import type { ReadData } from '../data/json.ts'
import { isRoundName } from '../lines/round-names.ts'

/** Whether a text may have such marks: most have none. */
export const mayBeFenced = /```|~~~|<\/?(?:pre|code)\b|\[\/?code\b|^[ \t>]*`+[ \t]*[[{]/im
/** A line that begins or ends a block, with the language of its text. */
const fence = /^([ \t>]{0,20})(?:`{3,20}|~{3,20})[ \t]*([a-z][\w+#.-]{0,30})?[ \t]*$/gim
/** The same in the line of the data that it is around. */
const opening =
  /^([ \t>]{0,20})(?:`{1,20}|~{3,20})(?:[\w+#.-]{1,20}[ \t]{0,9}|[ \t]{0,9})(?=[[{])/gm
const closing = /(?<=[\]};])[ \t]{0,9}(?:`{1,20}|~{3,20})[ \t]{0,9}$/gm
const tags = /<\/?(?:pre|code)(?:\s[^<>]{0,200})?>|\[\/?code(?:=[^[\]\r\n]{0,40})?\]/gi

/**
 * Reads a text without what marks blocks of code in Markdown, pages and posts; what was read has the lines as they were
 * written. The language of a block is nothing, unless it can only be what is in it: `NM`, `Finals`.
 */
export function readUnfenced(
  written: string,
  codes: BucketCodes,
  read: (text: string, codes: BucketCodes) => ReadData,
): ReadData {
  const text = withoutFences(written, codes)
  const found = read(text, codes)
  if (text === written) return found
  const [before, now] = [written, text].map((each) => each.split(/\r\n|\r|\n/))
  const findings = found.findings.map((finding) => {
    const at = finding.line - 1
    return finding.text === now![at] ? { ...finding, text: before![at]! } : finding
  })
  return { ...found, findings }
}

function withoutFences(text: string, codes: BucketCodes): string {
  const isHeading = (word: string): boolean =>
    isRoundName(word) || (/^[^a-z]|[0-9]$/.test(word) && namesBucket(word, codes))
  return text
    .replaceAll(tags, '')
    .replaceAll(fence, (_, start: string, word = '') => start + (isHeading(word) ? word : ''))
    .replaceAll(opening, '$1')
    .replaceAll(closing, '')
}
