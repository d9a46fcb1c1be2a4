import { type Schema, comment, schemaType } from './schema-type.ts'

const contract = new URL('../../src/contract/', import.meta.url)

type Named = { readonly module: string; readonly name: string; readonly schema: Schema }

/** The types that a declaration file makes from schemas: `export type Pack = Static<typeof Pack>`. */
const namesIn = (declarations: string): string[] =>
  [...declarations.matchAll(/^export type (\w+) = Static<typeof \1>;$/gm)].map(
    ([, name = '']) => name,
  )

const load = async (module: string, declarations: string): Promise<Named[]> => {
  const exported = (await import(new URL(`${module}.ts`, contract).href)) as Record<string, Schema>
  return namesIn(declarations).map((name) => ({ module, name, schema: exported[name] ?? {} }))
}

const write = (module: string, known: readonly Named[]): string => {
  // A schema is known by its text, because an optional one is a copy of the one that was named.
  const byText = new Map(known.map((named) => [JSON.stringify(named.schema), named]))
  const used = new Map<string, Set<string>>()
  const types = known
    .filter((named) => named.module === module)
    .map(({ name, schema }) => {
      const nameOf = (part: Schema): string | undefined => {
        const named = byText.get(JSON.stringify(part))
        if (named === undefined || named.name === name) return undefined
        if (named.module !== module) {
          used.set(named.module, (used.get(named.module) ?? new Set()).add(named.name))
        }
        return named.name
      }
      return `${comment(schema)}export type ${name} = ${schemaType(schema, nameOf)}\n`
    })
  const imports = [...used].map(
    ([from, names]) => `import type { ${[...names].join(', ')} } from './${from}.js'\n`,
  )
  return [...imports, ...types].join('')
}

/**
 * Declarations of the contract in which the types made from schemas are written out, so that nobody
 * needs the schemas' library to read them. What else a module declares is left out.
 *
 * @param declarations as the compiler wrote them, by the module's name: `pack`.
 */
export const plainTypes = async (
  declarations: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> => {
  const made = [...declarations].filter(([, text]) => namesIn(text).length > 0)
  const known = (await Promise.all(made.map(([module, text]) => load(module, text)))).flat()
  return new Map(made.map(([module]) => [module, write(module, known)]))
}
