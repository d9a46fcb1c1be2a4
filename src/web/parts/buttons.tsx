import type { ButtonHTMLAttributes, ComponentChildren, JSX } from 'preact'
import { Icon, type IconName } from './icons.tsx'

export type Tone = 'plain' | 'primary' | 'quiet' | 'danger'

type Look = {
  readonly tone?: Tone
  readonly icon?: IconName
  readonly children?: ComponentChildren
}

type ButtonProps = Look &
  Omit<ButtonHTMLAttributes, 'icon' | 'class'> & {
    /** Work is going on: the button stays in place, says so, and takes no press. */
    readonly busy?: boolean
  }

/** Something to press. Without children it needs an `aria-label`. */
export const Button = ({
  tone = 'plain',
  icon,
  busy = false,
  children,
  ...rest
}: ButtonProps): JSX.Element => (
  <button
    type="button"
    aria-busy={busy}
    {...rest}
    class={classOf(tone, children === undefined)}
    disabled={rest.disabled === true || busy}
  >
    {icon && <Icon name={icon} />}
    {children}
  </button>
)

const classOf = (tone: Tone, isBare: boolean): string =>
  `button ${tone}${isBare ? ' only-icon' : ''}`

/** Leads to the game platform and back to this page. */
export const SignInButton = (): JSX.Element => (
  <LinkButton tone="primary" icon="user" href={signInHref()}>
    Sign in
  </LinkButton>
)

type LinkProps = Look & { readonly href: string; readonly 'aria-label'?: string }

/** A link that looks like a button. */
export const LinkButton = ({ tone = 'plain', icon, children, ...rest }: LinkProps): JSX.Element => (
  <a {...rest} class={classOf(tone, children === undefined)}>
    {icon && <Icon name={icon} />}
    {children}
  </a>
)

/** Where one signs in, to come back to this page. */
export const signInHref = (): string =>
  `/sign-in?return=${encodeURIComponent(location.pathname + location.search)}`
