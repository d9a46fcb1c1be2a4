import type { ButtonHTMLAttributes, ComponentChildren, JSX } from 'preact'
import { useCopy } from '../browser.ts'
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

type CopyButtonProps = {
  readonly text: string
  /** What is copied, to name the button and to confirm: `pack key`. */
  readonly what: string
  /** Shown on the button; an icon alone without it. */
  readonly label?: string
  readonly tone?: Tone
  readonly icon?: IconName
  readonly id?: string
  /** Has the focus when the dialog around it opens. */
  readonly autofocus?: boolean
  readonly onCopied?: () => void
}

/** Copies a text and says so. */
export function CopyButton({
  text,
  what,
  label,
  tone = 'plain',
  icon = 'copy',
  id,
  autofocus = false,
  onCopied,
}: CopyButtonProps): JSX.Element {
  const words = {
    done: `${upperFirst(what)} copied`,
    refused: `Your browser blocked copying. Select the ${what} and copy it manually.`,
  }
  const { isDone, copy } = useCopy(text, words, onCopied)
  return (
    <Button
      id={id}
      tone={tone}
      icon={isDone ? 'check' : icon}
      autofocus={autofocus}
      aria-label={label === undefined ? `Copy ${what}` : undefined}
      onClick={() => void copy()}
    >
      {label}
    </Button>
  )
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
