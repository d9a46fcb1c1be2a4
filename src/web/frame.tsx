import { Component, type ComponentChildren, type JSX, options, render, type VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { headerLinks } from '../contract/page-data.ts'
import { pageData, pageHref } from './page-data.ts'
import { Button, signInHref } from './parts/buttons.tsx'
import { Mark } from './parts/icons.tsx'
import { PersonText } from './parts/labels.tsx'
import { Notice } from './parts/notices.tsx'
import { Toasts } from './parts/toasts.tsx'
import './style/site.css'

// Effects run before the next event: a key pressed at once must find its listener and its focus.
options.requestAnimationFrame = queueMicrotask

/**
 * Shows a page inside the frame that all pages share. Reads what the server put into the page, and
 * shows a designed error where the page fails: `mount(() => <Browse />)`.
 */
export function mount(page: () => VNode): void {
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

/** What all pages have around them. The page itself brings `<main id="main">`. */
const Frame = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <>
    <a class="skip-link" href="#main">
      Skip to content
    </a>
    <Header />
    <div class="column page">{children}</div>
    <Footer />
    <Toasts />
  </>
)

function Header(): JSX.Element {
  const { siteName, viewer } = pageData()
  const [isOpen, setOpen] = useState(false)
  return (
    <header class="header">
      <div class="column">
        <a class="brand" href={pageHref('/')}>
          <Mark />
          {siteName}
        </a>
        <nav id="nav" aria-label="Pages" class={isOpen ? 'open' : undefined}>
          {headerLinks.map(([label, path]) => (
            <NavLink key={path} label={label} path={path} />
          ))}
          {viewer?.isModerator && <NavLink label="Moderation" path="/moderation" />}
        </nav>
        <div class="header-end">
          <Account />
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

const NavLink = ({ label, path }: { readonly label: string; readonly path: string }) => (
  <a href={pageHref(path)} aria-current={isHere(path) ? 'page' : undefined}>
    {label}
  </a>
)

function Account(): JSX.Element {
  const { viewer } = pageData()
  return viewer === null ? (
    <a class="account" href={signInHref()}>
      <span>Sign in</span>
    </a>
  ) : (
    <a class="account" href="/account" aria-current={isHere('/account') ? 'page' : undefined}>
      <span class="sr-only">Account: </span>
      <PersonText text={viewer.username} />
    </a>
  )
}

const isHere = (path: string): boolean =>
  location.pathname === path || location.pathname.startsWith(`${path}/`)

const footerLinks = [
  ['API guide', '/docs/api'],
  ['Pack keys', '/docs/pack-keys'],
  ['API reference', '/docs/reference'],
] as const

const Footer = (): JSX.Element => (
  <footer class="footer">
    <div class="column">
      <p>{pageData().siteName}: map packs for tournaments.</p>
      <ul>
        {footerLinks.map(([label, path]) => (
          <li key={path}>
            <a href={pageHref(path)}>{label}</a>
          </li>
        ))}
      </ul>
    </div>
  </footer>
)

type Theme = 'light' | 'dark'

const systemIsDark = matchMedia('(prefers-color-scheme: dark)')
const systemTheme = (): Theme => (systemIsDark.matches ? 'dark' : 'light')
const chosenTheme = (): string | undefined => document.documentElement.dataset['theme']
const themeNow = (): Theme => (chosenTheme() ?? systemTheme()) as Theme

/** Going back to what the system has also means to follow it again. */
function choose(theme: Theme): void {
  const followsSystem = theme === systemTheme()
  if (followsSystem) delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  try {
    if (followsSystem) localStorage.removeItem('theme')
    else localStorage.setItem('theme', theme)
  } catch {
    // Storage is off: the choice lasts for this page.
  }
}

function ThemeToggle(): JSX.Element {
  const [theme, setTheme] = useState(themeNow)
  useEffect(() => {
    const follow = (): void => setTheme(themeNow())
    systemIsDark.addEventListener('change', follow)
    return () => systemIsDark.removeEventListener('change', follow)
  }, [])
  const other: Theme = theme === 'dark' ? 'light' : 'dark'
  return (
    <Button
      tone="quiet"
      icon={other === 'dark' ? 'moon' : 'sun'}
      aria-label={`Switch to the ${other} theme`}
      onClick={() => {
        choose(other)
        setTheme(other)
      }}
    />
  )
}
class Boundary extends Component<
  { readonly children: ComponentChildren },
  { readonly error: unknown }
> {
  override state = { error: null as unknown }

  static override getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error: error ?? 'unknown' }
  }

  override componentDidCatch(error: unknown): void {
    console.error(error)
  }

  override render(): ComponentChildren {
    if (this.state.error === null) return this.props.children
    return (
      <main id="main">
        <Notice
          tone="danger"
          title="Something went wrong"
          actions={
            <Button tone="primary" onClick={() => location.reload()}>
              Reload
            </Button>
          }
        >
          This page failed in your browser. Nothing saved on the site is affected.
        </Notice>
      </main>
    )
  }
}
