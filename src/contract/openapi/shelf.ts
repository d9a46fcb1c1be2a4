import type { Reference } from './types.ts'

type Section = 'schemas' | 'parameters' | 'headers' | 'responses'

/** Points at a shared part, and has it put into the document. */
export type Refer = (section: Section, name: string) => Reference

/** Make the shared parts of one kind by name; a part may point at others. */
export type Makers<Part> = Readonly<Record<string, (refer: Refer) => Part>>

/**
 * What the operations of a document share. Only what something points at comes out, so a document
 * holds neither an unused part nor a reference to a missing one.
 */
export const openShelf = (makers: Readonly<Record<Section, Makers<unknown>>>) => {
  const sections = Object.keys(makers) as Section[]
  const made = new Map<string, unknown>()

  const refer: Refer = (section, name) => {
    const $ref = `#/components/${section}/${name}`
    if (!made.has($ref)) {
      const maker = makers[section][name]
      if (maker === undefined) throw new Error(`there is no ${name} among the ${section}`)
      made.set($ref, null)
      made.set($ref, maker(refer))
    }
    return { $ref }
  }

  /** The parts that were pointed at, by section, in the order in which the makers were given. */
  const parts = (): Record<string, Record<string, unknown>> =>
    Object.fromEntries(
      sections.map((section) => [
        section,
        Object.fromEntries(
          Object.keys(makers[section]).flatMap((name) => {
            const part = made.get(`#/components/${section}/${name}`)
            return part === undefined ? [] : [[name, part]]
          }),
        ),
      ]),
    )

  return { refer, parts }
}
