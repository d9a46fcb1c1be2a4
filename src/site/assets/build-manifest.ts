import { Type } from 'typebox'
import { Compile } from 'typebox/compile'

/** What the bundler says of the files that it wrote. */
const Manifest = Compile(
  Type.Record(
    Type.String(),
    Type.Object({
      file: Type.String(),
      isEntry: Type.Optional(Type.Boolean()),
      imports: Type.Optional(Type.Array(Type.String())),
      css: Type.Optional(Type.Array(Type.String())),
    }),
  ),
)
type Chunk = {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

/** What one page loads, as paths below the site's address without a slash in front. */
export type EntryFiles = {
  /** null: the page does without. */
  readonly script: string | null
  readonly styles: readonly string[]
  /** What the script imports, told early so that it loads at once. */
  readonly preloads: readonly string[]
}

/** A page's files by its name. */
export type Entries = ReadonlyMap<string, EntryFiles>

/** `src/web/pages/browse.tsx` → `browse`. */
const nameOf = (source: string): string => source.replace(/^.*\//, '').replace(/\.[a-z]+$/, '')

const filesOf = (chunks: Readonly<Record<string, Chunk>>, entry: Chunk): EntryFiles => {
  const seen = new Set<Chunk>()
  const walk = (chunk: Chunk): void => {
    if (seen.has(chunk)) return
    for (const name of chunk.imports ?? []) {
      const imported = chunks[name]
      if (imported !== undefined) walk(imported)
    }
    // Behind what it imports: that is the order in which its styles may overrule theirs.
    seen.add(chunk)
  }
  walk(entry)
  const preloads = [...seen].filter((chunk) => chunk !== entry).map(({ file }) => file)
  const styles = new Set([...seen].flatMap(({ css }) => css ?? []))
  return { script: entry.file, styles: [...styles], preloads }
}

/** Reads the manifest that the bundler wrote; null when it is not one. */
export const readManifest = (text: string): Entries | null => {
  let chunks: unknown
  try {
    chunks = JSON.parse(text)
  } catch {
    return null
  }
  if (!Manifest.Check(chunks)) return null
  const all: Readonly<Record<string, Chunk>> = chunks
  const entries = Object.entries(all).filter(([, { isEntry }]) => isEntry)
  return new Map(entries.map(([source, entry]) => [nameOf(source), filesOf(all, entry)]))
}
