import { options, render, type VNode } from 'preact'
import { Boundary } from './parts/boundary.tsx'
import { Frame } from './parts/frame.tsx'
import './style/site.css'

// Effects run before the next event: a key pressed at once must find its listener and its focus.
options.requestAnimationFrame = queueMicrotask

/**
 * Shows a page inside the frame that all pages share. Reads what the server put into the page, and
 * shows a designed error where the page fails: `mount(() => <Browse />)`.
 */
export const mount = (page: () => VNode): void => {
  const root = document.getElementById('app')
  if (root === null) throw new Error('This page has no #app.')
  const Page = page
  root.replaceChildren()
  render(
    <Frame>
      <Boundary>
        <Page />
      </Boundary>
    </Frame>,
    root,
  )
}
