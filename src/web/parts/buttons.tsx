import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { Icon, type IconName } from './icons.tsx'

type Look = {
  readonly tone?: 'plain' | 'primary' | 'quiet' | 'danger' | undefined
  readonly icon?: IconName | undefined
  readonly children?: ComponentChildren
}

type ButtonProps = Look &
  Omit<ButtonHTMLAttributes, 'icon' | 'class'> & {
    /** Shows that work is going on, and takes no press meanwhile. */
    readonly busy?: boolean
  }

/** Something to press. Without children it needs an `aria-label`. */
export const Button = ({ tone, icon, children, busy = false, ...rest }: ButtonProps) => (
  <button
    type="button"
    aria-busy={busy}
    {...rest}
    {...lookOf({ tone, icon, children })}
    disabled={rest.disabled === true || busy}
  />
)

type LinkProps = Look & { readonly href: string; readonly 'aria-label'?: string }

/** A link that looks like a button. */
export const LinkButton = ({ tone, icon, children, ...rest }: LinkProps) => (
  <a {...rest} {...lookOf({ tone, icon, children })} />
)

function lookOf({ tone = 'plain', icon, children }: Look) {
  return {
    class: `button ${tone}${children === undefined ? ' only-icon' : ''}`,
    children: [icon && <Icon name={icon} />, children],
  }
}

/** Leads to the game platform and back to this page. */
export const SignInButton = () => (
  <LinkButton tone="primary" icon="user" href={signInHref()}>
    Sign in
  </LinkButton>
)

/** Where to sign in, to come back to this page. */
export const signInHref = (): string =>
  `/sign-in?return=${encodeURIComponent(location.pathname + location.search)}`
