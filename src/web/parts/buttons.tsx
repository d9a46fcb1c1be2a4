import * as texts from '#texts/common'
import type { ButtonHTMLAttributes, ComponentChildren, TargetedEvent } from 'preact'
import { isHttpsLink } from '../../contract/bounds.ts'
import { address } from '../page-data.ts'
import { Icon, type IconName } from './icons.tsx'

type Look = {
  readonly tone?: 'plain' | 'primary' | 'quiet' | 'danger' | undefined
  readonly icon?: IconName | undefined
  /** The text on it; children where it is more than a text. With neither, it needs `aria-label`. */
  readonly label?: string | undefined
  readonly children?: ComponentChildren
}

type ButtonProps = Look &
  Omit<ButtonHTMLAttributes, 'icon' | 'class'> & {
    /** Shows that work is going on, and takes no press meanwhile. It keeps the focus, which a disabled one would lose. */
    readonly busy?: boolean
  }

export const Button = ({ busy = false, ...props }: ButtonProps) => (
  <button
    type="button"
    aria-busy={busy}
    {...lookOf(props)}
    {...(busy && { 'aria-disabled': true, onClick: stop })}
  />
)

const stop = (event: Event): void => event.preventDefault()

type LinkProps = Look & {
  readonly href: string
  /** Saves what is there as a file of this name. */
  readonly download?: string
  readonly hreflang?: string
  readonly 'aria-label'?: string
  readonly onClick?: (event: TargetedEvent<HTMLAnchorElement>) => void
}

export const LinkButton = (props: LinkProps) => <a {...lookOf(props)} />

function lookOf<P extends Look>({ tone = 'plain', icon, label, children = label, ...rest }: P) {
  return {
    ...rest,
    class: `button ${tone}${children === undefined ? ' only-icon' : ''}`,
    children: [icon && <Icon name={icon} />, children],
  }
}

type OutsideLinkProps = { readonly href: string; readonly label: string; readonly class?: string }

/** Of somebody else: the site vouches for none of them. */
export const OutsideLink = ({ href, label, class: look = 'outside-link' }: OutsideLinkProps) =>
  isHttpsLink(href) ? (
    <a class={look} href={href} target="_blank" rel="noreferrer nofollow">
      {label} <Icon name="external" />
    </a>
  ) : null

/** Leads to the game platform and back to this page. */
export const SignInButton = () => (
  <LinkButton tone="primary" icon="user" label={texts.signIn} {...signInLink()} />
)

export const NewPackLink = ({ icon }: Pick<Look, 'icon'>) => (
  <LinkButton tone="primary" icon={icon} label={texts.newPack} href="/new" />
)

/** Properties of a link that leads there: the address of this page may be another one when it is pressed. */
export const signInLink = () => ({
  href: signInHref(),
  onClick: ({ currentTarget }: TargetedEvent<HTMLAnchorElement>): void => {
    currentTarget.href = signInHref()
  },
})

/** Where to sign in, to come back to this page. */
function signInHref(): string {
  const { pathname, search } = address()
  return `/sign-in?return=${encodeURIComponent(pathname + search)}`
}
