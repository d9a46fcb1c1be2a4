/** The names of the guides that are in the language of the build. */
declare module 'guide:translated' {
  export const translated: readonly string[]
}

/** `guide:api` is docs/api.md, made ready when the pages are built. */
declare module 'guide:*' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- such a module may import nothing
  export const guide: import('./guide.ts').Guide
}
