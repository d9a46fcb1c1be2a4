const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

/** Text as it is searched: without marks, in one case, in its plainest letters. */
export const searchText = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .toLowerCase()

/** The words of a query; a pack must have them all. */
export const searchWords = (query: string): readonly string[] =>
  searchText(query)
    .split(/\s+/)
    .filter((word) => word !== '')
