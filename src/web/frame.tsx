import { type ComponentChildren, hydrate, options, render, type VNode } from 'preact'
import { useErrorBoundary, useLayoutEffect, useState } from 'preact/hooks'
import { headerLinks } from '../contract/page-data.ts'
import { fromStorage, useMedia } from './browser.ts'
import { address, asServed, isServed, pageData } from './page-data.ts'
import { Button, signInHref } from './parts/buttons.tsx'
import { Mark } from './parts/icons.tsx'
import { PersonText } from './parts/labels.tsx'
import { Notice } from './parts/notices.tsx'
import { Toasts } from './parts/toasts.tsx'
import './style/site.css'

// Effects run before the next event: a key pressed at once must find its listener and its focus.
options.requestAnimationFrame = queueMicrotask

// The content security policy blocks style attributes in HTML: styles come when the browser takes over.
options.vnode = ({ type, props }) => {
  if (typeof type === 'string' && isServed()) delete (props as { style?: unknown }).style
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
  if (root.querySelector('.header') === null) root.replaceChildren()
  else asServed(pageData(), () => hydrate(<Frame Page={Page} />, root))
  render(<Frame Page={Page} />, root)
  // For the style sheets: what only a script can do may be pressed from now on.
  document.documentElement.dataset['ready'] = ''
  return Page
}

export const Frame = ({ Page }: { Page: Page }) => (
  <>
    <a class="skip-link" href="#main">
      Skip to content
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

function Header() {
  const { siteName, viewer, service } = pageData()
  const isModerating = viewer?.isModerator === true
  const [isOpen, setOpen] = useState(false)
  const pages = headerLinks[service]
  const links = isModerating ? [...pages, moderationLink] : pages
  return (
    <header class="header">
      <div class="column">
        <a class="brand" href="/">
          <Mark />
          {siteName}
        </a>
        <nav id="nav" aria-label="Pages" class={isOpen ? 'open' : undefined}>
          {links.map(([label, path]) => (
            <a key={path} href={path} aria-current={isHere(path) ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <div class="header-end">
          <span class="account-place">
            <Account />
          </span>
          <ThemeToggle />
          <span class="menu-button">
            <Button
              tone="quiet"
              icon={isOpen ? 'close' : 'menu'}
              aria-label="Pages"
              aria-expanded={isOpen}
              aria-controls="nav"
              onClick={() => setOpen(!isOpen)}
            />
          </span>
        </div>
      </div>
    </header>
  )
}

const moderationLink = ['Moderation', '/moderation'] as const

function Account() {
  const { viewer } = pageData()
  return viewer === null ? (
    <a key="sign-in" class="account" href={signInHref()}>
      <span>Sign in</span>
    </a>
  ) : (
    <a
      key="account"
      class="account"
      href="/account"
      aria-current={isHere('/account') ? 'page' : undefined}
    >
      <span class="sr-only">Account: </span>
      <PersonText text={viewer.username} />
    </a>
  )
}

function isHere(path: string): boolean {
  const { pathname } = address()
  return pathname === path || pathname.startsWith(`${path}/`)
}

function Footer() {
  const { siteName, service, siteUrl, poolsUrl } = pageData()
  const links = [
    service === 'packs' ? ['Tournaments', poolsUrl] : ['Map packs', siteUrl],
    ['API guide', '/docs/api'],
    ['Pack keys', '/docs/pack-keys'],
    ['API reference', '/docs/reference'],
  ] as const
  return (
    <footer class="footer">
      <div class="column">
        <p>
          {siteName}: {service === 'packs' ? 'map packs for tournaments' : 'tournament pools'}.
        </p>
        <ul>
          {links.map(([label, href]) => (
            <li key={label}>
              <a href={href}>{label}</a>
            </li>
          ))}
        </ul>
      </div>
    </footer>
  )
}

function ThemeToggle() {
  const system = useMedia('(prefers-color-scheme: dark)') ? 'dark' : 'light'
  const [chosen, setChosen] = useState<string>()
  useLayoutEffect(() => setChosen(document.documentElement.dataset['theme']), [])
  const other = (chosen ?? system) === 'dark' ? 'light' : 'dark'
  return (
    <Button
      tone="quiet"
      icon={other === 'dark' ? 'moon' : 'sun'}
      aria-label={`Switch to the ${other} theme`}
      onClick={() => {
        // Choosing what the system has also means to follow it again.
        const theme = other === system ? undefined : other
        applyTheme(theme)
        setChosen(theme)
      }}
    />
  )
}

function applyTheme(theme: 'light' | 'dark' | undefined): void {
  if (theme === undefined) delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  // Where storage is off, the choice lasts for this page.
  fromStorage(() => {
    if (theme === undefined) localStorage.removeItem('theme')
    else localStorage.setItem('theme', theme)
  }, undefined)
}

function Boundary({ children }: { children: ComponentChildren }) {
  const [error] = useErrorBoundary((failure) => console.error(failure))
  if (error === undefined) return <>{children}</>
  return (
    <main id="main">
      <Notice
        tone="danger"
        title="Something went wrong"
        actions={<Button tone="primary" label="Reload" onClick={() => location.reload()} />}
      >
        This page failed in your browser. Nothing saved on the site is affected.
      </Notice>
    </main>
  )
}
