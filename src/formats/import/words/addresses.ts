/** The address of a link as a browser opens it, and where it is written in a text. */
export type Address = { readonly url: string; readonly start: number; readonly end: number }

/** Signs of other scripts that part an address from a sentence are no part of it, either. */
const wideSigns = String.raw`\u3001\u3002\u3008-\u3011\u3014-\u301b\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\uff3b\uff3d\uff5b\uff5d`
const plain = String.raw`[^\s<>()[\]{}"'|${'`'}\\${wideSigns}]`
/** Of posts, which follow an address without a space. */
const tag = String.raw`\[(?:\/|(?:url|img|b|i|u|s|\*|size|colou?r|list|quote|code|box|spoiler)[=\]])`
/** What an address goes on with: brackets are a part of it where they are closed in it. */
export const addressTail = String.raw`(?:${plain}+|\(${plain}*\)|(?!${tag})\[${plain}*\]|\{${plain}*\})`
/** In Markdown, signs that could end the link are escaped. */
const inMarkdown = String.raw`(?:\\[!-\/:-@[-${'`'}{-~]|[^\s()\\]|\((?:\\[!-\/:-@[-${'`'}{-~]|[^\s()\\])*\))+`
const address = new RegExp(
  [
    String.raw`(?<=\[url=)(?<post>https?:\/\/(?:[^\s[\]]|\[[^\s[\]]{0,200}\]){1,2000})(?=\])`,
    String.raw`(?<=\]\()(?<markdown>https?:\/\/${inMarkdown})(?=\)|\s+["'(])`,
    String.raw`https?:\/\/${addressTail}+`,
  ].join('|'),
  'giu',
)

/** All of them: other programs part them from the words around them by their signs alone. */
export function addressesIn(text: string): Address[] {
  if (!text.includes('://')) return []
  return Array.from(text.matchAll(address), ({ 0: whole, index, groups }) => {
    const { post, markdown } = groups ?? {}
    const written = post ?? markdown ?? withoutStop(whole)
    const read = post === undefined ? written : written.replaceAll(signInPost, decodeURIComponent)
    const url = markdown === undefined ? read : read.replaceAll(escaped, '$1')
    return { url: asciiOf(url), start: index, end: index + written.length }
  })
}

/** The address that is all of a text, such as a cell, to its last sign; null for other texts. */
export function addressAlone(text: string): string | null {
  const written = text.trim()
  const isOne = /^https?:\/\/\S+$/i.test(written) && !/[,;|]https?:\/\//i.test(written)
  return isOne ? asciiOf(written) : null
}

/** Without what a sentence has behind it, whose words may follow without a space. */
const withoutStop = (address: string): string =>
  address.replace(/(?<![.,;:!?*_~])[.,;:!?*_~]+$|[,!](?=[^\0-\x7f]).*$/u, '')

/** As browsers send it. */
const asciiOf = (address: string): string =>
  address.replaceAll(/[^\0-\x7f]+/gu, (signs) => encodeURIComponent(signs.toWellFormed()))

const escaped = /\\([!-/:-@[-`{-~])/g
/** `writeBbcode` has the codes of signs in lower case. */
const signInPost = /%(?:5b|5d|3c|3e)/g
