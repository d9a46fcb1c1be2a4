import { listen } from '../browser.ts'
import { isTypedInto } from './typed-text.ts'

const isGone = (element: Element): boolean =>
  !element.isConnected ||
  element.closest(':disabled, [hidden], [inert], details:not([open])') !== null

/**
 * Moves the focus to the nearest control, or from a field of text to the part around it, when the one that has it is
 * removed, disabled or hidden. It would be nowhere else, and the next Tab begin at the top of the page. Where the page
 * itself moves the focus, in this task or in the next two frames, that counts.
 */
export function keepFocus(): void {
  let last: Element | null = null
  /** The elements around it, from the inside out. */
  let around: readonly Element[] = []
  let controls: readonly HTMLElement[] = []
  let isDue = false

  const restore = (): void => {
    isDue = false
    if (last === null || !isGone(last) || document.activeElement !== document.body) return
    const at = controls.indexOf(last as HTMLElement)
    const near = [...controls.slice(0, Math.max(at, 0)).toReversed(), ...controls.slice(at + 1)]
    // Keys that are meant for its text would do something else in a control.
    const isTyping = isTypedInto(last)
    for (const part of around) {
      if (!part.isConnected) continue
      if (isTyping && part instanceof HTMLElement) {
        part.tabIndex = -1
        if (takesFocus(part)) return
        continue
      }
      const there = [...near.filter((each) => part.contains(each)), ...controlsIn(part)]
      if (there.some(takesFocus)) return
      // Still being loaded.
      if (part instanceof HTMLElement && part.id === 'main') part.tabIndex = -1
      if (takesFocus(part as HTMLElement)) return
    }
  }
  const look = (): void => {
    if (isDue || last === null || !isGone(last)) return
    isDue = true
    afterFrames(3, restore)
  }
  listen({
    focusin: ({ target }) => {
      last = target as Element
      around = ancestorsOf(last)
      controls = controlsIn(document.body)
    },
    // Gone to nowhere by a press there: nothing is lost.
    focusout: ({ target }) =>
      queueMicrotask(() => {
        const isLeft = document.activeElement === document.body && last === target
        if (isLeft && !isGone(last!)) last = null
      }),
  })
  new MutationObserver(look).observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['disabled', 'hidden', 'inert', 'open'],
  })
}

function takesFocus(element: HTMLElement): boolean {
  if (!isGone(element)) element.focus()
  return document.activeElement === element
}

const controlsIn = (part: Element): HTMLElement[] => [
  ...part.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])',
  ),
]

function ancestorsOf(element: Element): Element[] {
  const all: Element[] = []
  for (let at = element.parentElement; at !== null; at = at.parentElement) all.push(at)
  return all
}

function afterFrames(frames: number, then: () => void): void {
  requestAnimationFrame(() => (frames > 1 ? afterFrames(frames - 1, then) : then()))
}
