import { listen } from '../browser.ts'
import { isLeft } from '../kept.ts'

type Field = HTMLInputElement | HTMLTextAreaElement

/** Whether it is a field of text. */
export const isTypedInto = (element: Element): boolean =>
  element.matches('textarea, input:not([type=checkbox], [type=radio], [type=range], [type=file])')

/** What fields of text had when they were first focused, and choices of a dialog before anything was pressed in it. */
let before = new WeakMap<Element, string | boolean>()

const note = (control: Control): unknown =>
  before.has(control) || before.set(control, enteredIn(control))

/** Whether something is entered inside that would be lost with its field. What is searched for is in the address. */
export const isTypedIn = (part: ParentNode): boolean =>
  [
    ...part.querySelectorAll<Control>(
      ':is(input, textarea, select):not([data-is-kept], [data-is-settled], [type=search])',
    ),
  ].some((control) => before.has(control) && before.get(control) !== enteredIn(control))

/** Before the page leads to another one with what was typed. */
export const takeTyped = (): void => void (before = new WeakMap())

type Control = Field | HTMLSelectElement

const isBox = (control: Control): control is HTMLInputElement =>
  control.matches('[type=checkbox], [type=radio]')

/** What a reader has entered. */
const enteredIn = (control: Control): string | boolean =>
  isBox(control) ? control.checked : control.value

/** What the server has put there. */
function servedIn(control: Control): string | boolean {
  if (isBox(control)) return control.defaultChecked
  if (!('options' in control)) return control.defaultValue
  const options = [...control.options]
  return (options.find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? ''
}

/**
 * Reads what has been entered into a page that the server has rendered; returns a function that dispatches it as
 * events, once the page's script has taken over, and so what the browser restores when somebody comes back to the page.
 */
export function takeEarly(root: ParentNode): () => void {
  // Not radio buttons, of which another one is deselected without an event, nor files, which no script can choose.
  const controls = [
    ...root.querySelectorAll<Control>('input:not([type=radio], [type=file]), textarea, select'),
  ]
  const tell = (known: unknown[], entered: (string | boolean)[]): void =>
    entered.forEach((value, at) => {
      const control = controls[at]!
      if (value === known[at]) return
      if (isBox(control)) {
        control.checked = !value
        return control.click()
      }
      if ('defaultValue' in control) before.set(control, control.defaultValue)
      control.value = String(value)
      for (const type of ['input', 'change']) {
        control.dispatchEvent(new Event(type, { bubbles: true }))
      }
    })
  const [served, early] = [controls.map(servedIn), controls.map(enteredIn)]
  return () => {
    tell(served, early)
    const shown = controls.map(enteredIn)
    // Browsers do so only now.
    const again = (): void => tell(shown, controls.map(enteredIn))
    addEventListener('pageshow', again, { once: true })
  }
}

function noteFields({ target }: Event): void {
  const field = target as Field
  if (isTypedInto(field)) note(field)
  // Choices of a page count at once, those of a dialog once it is confirmed.
  field
    .closest('dialog:not([data-is-kept])')
    ?.querySelectorAll<Control>('[type=checkbox], [type=radio], select')
    .forEach(note)
}

/** Has the browser ask before the page is left, where that would lose something that was typed. */
export const keepTyped = (): unknown =>
  listen({
    focusin: noteFields,
    pointerdown: noteFields,
    // A form without a script of its own leads to the next page.
    submit: (event) => {
      if (!event.defaultPrevented) takeTyped()
    },
    beforeunload: (event) => {
      if (isTypedIn(document) && !isLeft()) event.preventDefault()
    },
  })
