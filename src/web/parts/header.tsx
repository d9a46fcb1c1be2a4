import * as texts from '#texts/common'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import {
  headerLinks,
  linksOf,
  moderationLink,
  ownHref,
  ownLinks,
  type SiteLink,
  siteHref,
} from '../../contract/page-data.ts'
import { sharedDomain, THEME_COOKIE } from '../../contract/visitor.ts'
import { useSignOut } from '../account/use-sign-out.tsx'
import { listen, useMedia } from '../browser.ts'
import { address, pageData, hreflangOf } from '../page-data.ts'
import { explain, isUnknown } from '../site-failure.ts'
import { Button, signInLink } from './buttons.tsx'
import { Icon, Mark } from './icons.tsx'
import { PersonText } from './labels.tsx'
import { announce } from './toasts.tsx'

/** The same on both sites: which one a page belongs to decides only the addresses of the links. */
export function Header() {
  const data = pageData()
  const { isOpen, setOpen } = useDisclosure('nav')
  return (
    <header class="header">
      <div class="column">
        <a class="brand" href="/">
          {data.logo === undefined ? <Mark /> : <img class="mark" src={data.logo} alt="" />}
          {data.siteName}
        </a>
        <nav id="nav" aria-label={texts.pages} class={isOpen ? 'open' : undefined}>
          {linksOf(data, headerLinks).map((link) => (
            <HeaderLink key={link[0]} link={link} hrefOf={siteHref} />
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
              aria-label={texts.pages}
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

/** What each link of the header, the menu and the footer says. */
export const linkTexts: Readonly<Record<SiteLink[0], string>> = {
  browse: texts.browse,
  tournaments: texts.tournaments,
  maps: texts.maps,
  newPackInHeader: texts.newPackInHeader,
  docs: texts.docs,
  myPacks: texts.myPacks,
  myTournaments: texts.myTournaments,
  account: texts.account,
  moderation: texts.moderation,
  openPackKey: texts.openPackKey,
  apiGuide: texts.apiGuide,
  packKeys: texts.packKeys,
  apiReference: texts.apiReference,
}

type HeaderLinkProps = { readonly link: SiteLink; readonly hrefOf: typeof siteHref }

function HeaderLink({ link: [name, service, path], hrefOf }: HeaderLinkProps) {
  const data = pageData()
  const isHere = (service ?? data.service) === data.service && isAt(path)
  return (
    <a
      href={hrefOf(data, service, path)}
      {...hreflangOf(path)}
      aria-current={isHere ? 'page' : undefined}
    >
      {linkTexts[name]}
    </a>
  )
}

function isAt(path: string): boolean {
  const { pathname } = address()
  // The front page of the tournaments is the list of them.
  return pathname === path || pathname.startsWith(path === '/' ? '/t/' : `${path}/`)
}

function Account() {
  const data = pageData()
  const { isOpen, setOpen } = useDisclosure('own-pages')
  const { isBusy, error, press, dialog } = useSignOut()
  useEffect(() => {
    if (!error) return
    const reason = explain(error)
    announce(isUnknown(error) ? reason : texts.stillSignedIn({ reason }), 'danger')
  }, [error])
  if (data.viewer === null) {
    return (
      <a key="sign-in" class="account" {...signInLink()}>
        <span>{texts.signIn}</span>
      </a>
    )
  }
  const { username, isModerator } = data.viewer
  const links = linksOf(data, isModerator ? [...ownLinks, moderationLink] : ownLinks)
  return (
    <div key="account" class="account-menu">
      <button
        type="button"
        class="account"
        aria-expanded={isOpen}
        aria-controls="own-pages"
        onClick={() => setOpen(!isOpen)}
      >
        <span class="sr-only">{texts.menuOf} </span>
        <span class="account-name-shown">
          <PersonText text={username} />
        </span>
        <Icon name="down" />
      </button>
      <ul id="own-pages" role="list" hidden={!isOpen}>
        {links.map((link) => (
          <li key={link[0]}>
            <HeaderLink link={link} hrefOf={ownHref} />
          </li>
        ))}
        <li>
          <button type="button" aria-busy={isBusy} onClick={() => press(false)}>
            {texts.signOut}
          </button>
        </li>
      </ul>
      {dialog}
    </div>
  )
}

/** What a button opens (`aria-controls`), until Escape, or until the reader presses or goes elsewhere. */
function useDisclosure(id: string) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isOpen) return undefined
    const button = document.querySelector<HTMLElement>(`[aria-controls="${id}"]`)
    const parts = [button, document.getElementById(id)]
    const closeOutside = ({ target }: Event): void => {
      if (target instanceof Node && !parts.some((part) => part?.contains(target))) setOpen(false)
    }
    return listen({
      pointerdown: closeOutside,
      focusin: closeOutside,
      keydown: ({ key }) => {
        if (key !== 'Escape') return
        if (parts.some((part) => part?.contains(document.activeElement))) button?.focus()
        setOpen(false)
      },
    })
  }, [isOpen])
  return { isOpen, setOpen }
}

function ThemeToggle() {
  const system = useMedia('(prefers-color-scheme: dark)') ? 'dark' : 'light'
  const [chosen, setChosen] = useState<string>()
  useLayoutEffect(() => {
    const { theme } = document.documentElement.dataset
    setChosen(theme)
    // Browsers forget what a script has kept some days after the last visit: each one counts as such.
    if (theme === 'light' || theme === 'dark') keepTheme(theme)
  }, [])
  const other = (chosen ?? system) === 'dark' ? 'light' : 'dark'
  return (
    <Button
      tone="quiet"
      icon={other === 'dark' ? 'moon' : 'sun'}
      aria-label={other === 'dark' ? texts.toDarkTheme : texts.toLightTheme}
      onClick={() => {
        // Choosing what the system has also means to follow it again.
        const theme = other === system ? undefined : other
        if (theme === undefined) delete document.documentElement.dataset['theme']
        else document.documentElement.dataset['theme'] = theme
        keepTheme(theme)
        setChosen(theme)
      }}
    />
  )
}

const YEAR_SECONDS = 365 * 24 * 3600

/** For both sites, as far as browsers let them share a cookie. Where cookies are off, the choice lasts for this page. */
function keepTheme(theme: 'light' | 'dark' | undefined): void {
  const { siteUrl, poolsUrl } = pageData()
  const domain = sharedDomain(siteUrl, poolsUrl)
  document.cookie = [
    `${THEME_COOKIE}=${theme ?? ''}`,
    'Path=/',
    `Max-Age=${theme === undefined ? 0 : YEAR_SECONDS}`,
    'SameSite=Lax',
    ...(domain ? [`Domain=${domain}`] : []),
    ...(location.protocol === 'https:' ? ['Secure'] : []),
  ].join('; ')
}
