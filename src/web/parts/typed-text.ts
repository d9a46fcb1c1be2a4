import { listen } from '../browser.ts'
import { isLeft } from '../kept.ts'

type Field = HTMLInputElement | HTMLTextAreaElement

/** Whether it is a field of text. */
export const isTypedInto = (element: Element): boolean =>
  element.matches('textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file])')

/** The values of fields of text when they were first focused. */
let before = new WeakMap<Element, string>()

/** Whether something is typed inside that would be lost with its field. What is searched for is in the address. */
export const isTypedIn = (part: ParentNode): boolean =>
  [
    ...part.querySelectorAll<Field>(
      ':is(input, textarea):not([data-is-kept], [data-is-settled], [type=search])',
    ),
  ].some((field) => (before.get(field) ?? field.value) !== field.value)

/** Before the page leads to another one with what was typed. */
export const takeTyped = (): void => void (before = new WeakMap())

/** Has the browser ask before the page is left, where that would lose something that was typed. */
export const keepTyped = (): unknown =>
  listen({
    focusin: ({ target }) => {
      const field = target as Field
      if (isTypedInto(field) && !before.has(field)) before.set(field, field.value)
    },
    // A form without a script of its own leads to the next page.
    submit: (event) => {
      if (!event.defaultPrevented) takeTyped()
    },
    beforeunload: (event) => {
      if (isTypedIn(document) && !isLeft()) event.preventDefault()
    },
  })
