import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { headerLinks } from '../../contract/page-data.ts'
import { pageData, pageHref } from '../page-data.ts'
import { Button } from './button.tsx'
import { Mark } from './mark.tsx'
import { signInHref } from './sign-in-button.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import { Toasts } from './toasts.tsx'
import { PersonText } from './person-text.tsx'

const isHere = (path: string): boolean =>
  location.pathname === path || location.pathname.startsWith(`${path}/`)

const NavLink = ({ label, path }: { readonly label: string; readonly path: string }) => (
  <a href={pageHref(path)} aria-current={isHere(path) ? 'page' : undefined}>
    {label}
  </a>
)

const Account = (): JSX.Element => {
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

const Header = (): JSX.Element => {
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

const Footer = (): JSX.Element => (
  <footer class="footer">
    <div class="column">
      <p>{pageData().siteName}: map packs for tournaments.</p>
      <ul>
        <li>
          <a href={pageHref('/docs/api')}>API guide</a>
        </li>
        <li>
          <a href={pageHref('/docs/pack-keys')}>Pack keys</a>
        </li>
        <li>
          <a href={pageHref('/docs/reference')}>API reference</a>
        </li>
      </ul>
    </div>
  </footer>
)

/** What all pages have around them. The page itself brings `<main id="main">`. */
export const Frame = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
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
