import * as texts from '#texts/common'
import { type ComponentChildren, hydrate, options, render, type VNode } from 'preact'
import { useErrorBoundary } from 'preact/hooks'
import { footerLinks, linksOf, siteHref } from '../contract/page-data.ts'
import { keepFocus } from './parts/keep-focus.ts'
import { keepTyped, takeEarly } from './parts/typed-text.ts'
import { followAccount } from './kept.ts'
import { asServed, hreflangOf, isServed, pageData } from './page-data.ts'
import { formatSentences } from './format.ts'
import { Button } from './parts/buttons.tsx'
import { forgetAsked, LanguageSwitch } from './parts/language-switch.tsx'
import { Header, linkTexts } from './parts/header.tsx'
import { Notice } from './parts/notices.tsx'
import { Toasts } from './parts/toasts.tsx'
import './style/site.css'

// Effects run before the next event: a key pressed at once must find its listener and its focus.
options.requestAnimationFrame = queueMicrotask

// The content security policy blocks style attributes in HTML: styles come when the browser takes over. What is rendered
// then has other properties in each component: signals would skip those that have the same.
options.vnode = ({ type, props }) => {
  // A text has no type.
  if (!isServed() || !type) return
  const own = props as { style?: unknown; served?: true }
  if (typeof type !== 'string') own.served = true
  else {
    delete own.style
    // Of a component that passes its properties on.
    delete own.served
  }
}

export type Page = () => VNode

/**
 * Shows a page, which has `<main id="main">`, in the frame of all pages: `mount(() => <Browse />)`. Returns the
 * page, for the server to render (`server.tsx`), where nothing is shown.
 */
export function mount(Page: Page): Page {
  if (typeof document === 'undefined') return Page
  const root = document.getElementById('app')
  if (root === null) throw new Error('This page has no #app.')
  const tellEarly = takeEarly(root)
  const served = root.querySelector('.page-skeleton') === null ? Page : EmptyPage
  if (root.querySelector('.header') === null) root.replaceChildren()
  else asServed(pageData(), () => hydrate(<Frame Page={served} />, root))
  forgetAsked()
  followAccount()
  keepComposing()
  keepFocus()
  keepTyped()
  render(<Frame Page={Page} />, root)
  tellEarly()
  // For the style sheets: what only a script can do may be pressed from now on.
  document.documentElement.dataset['ready'] = ''
  return Page
}

/** What is pressed while a word is composed is for the input method: Enter there takes the word over, and no more. */
const keepComposing = (): void =>
  addEventListener(
    'keydown',
    (event) => event.isComposing && event.stopImmediatePropagation(),
    true,
  )

/** Takes the skeleton of `server.tsx` out, before the page comes in its place. */
const EmptyPage: Page = () => <main />

export const Frame = ({ Page }: { Page: Page }) => (
  <>
    <a class="skip-link" href="#main">
      {texts.skipToContent}
    </a>
    <Header />
    <div class="column page">
      <Boundary>
        <Page />
      </Boundary>
    </div>
    <Footer />
    <Toasts />
  </>
)

function Footer() {
  const data = pageData()
  const { siteName, contact, poweredBy } = data
  return (
    <footer class="footer">
      <div class="column">
        <p>
          {formatSentences([
            texts.siteInFooter({ site: siteName }),
            poweredBy ? texts.poweredBy({ software: poweredBy }) : null,
          ])}
        </p>
        <ul>
          {linksOf(data, footerLinks).map(([name, service, path]) => (
            <li key={name}>
              <a href={siteHref(data, service, path)} {...hreflangOf(path)}>
                {linkTexts[name]}
              </a>
            </li>
          ))}
          {contact !== undefined && (
            <li>
              <a href={contact}>{texts.contact}</a>
            </li>
          )}
        </ul>
        <LanguageSwitch />
      </div>
    </footer>
  )
}

function Boundary({ children }: { children: ComponentChildren }) {
  const [error] = useErrorBoundary((failure) => console.error(failure))
  if (error === undefined) return <>{children}</>
  return (
    <main id="main">
      <Notice
        tone="danger"
        title={texts.pageFailed}
        actions={<Button tone="primary" label={texts.reload} onClick={() => location.reload()} />}
      >
        {texts.pageFailedMeans}
      </Notice>
    </main>
  )
}
