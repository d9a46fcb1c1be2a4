/** The type of a file, and whether it is worth being compressed. */
export type FileType = { readonly type: string; readonly isText: boolean }

const text = (type: string): FileType => ({ type, isText: true })
const binary = (type: string): FileType => ({ type, isText: false })

const types: Readonly<Record<string, FileType>> = {
  js: text('text/javascript; charset=utf-8'),
  css: text('text/css; charset=utf-8'),
  svg: text('image/svg+xml'),
  json: text('application/json; charset=utf-8'),
  txt: text('text/plain; charset=utf-8'),
  woff: binary('font/woff'),
  woff2: binary('font/woff2'),
  png: binary('image/png'),
  webp: binary('image/webp'),
  jpg: binary('image/jpeg'),
}

/** By the end of the name; null for a file that the site does not give out. */
export const fileTypeOf = (name: string): FileType | null =>
  types[/\.([a-z0-9]+)$/.exec(name)?.[1] ?? ''] ?? null
