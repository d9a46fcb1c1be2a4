import type { JSX } from 'preact'
import { LinkButton } from './button.tsx'

/** Where one signs in, to come back to this page. */
export const signInHref = (): string =>
  `/sign-in?return=${encodeURIComponent(location.pathname + location.search)}`

/** Leads to the game platform and back to this page. */
export const SignInButton = (): JSX.Element => (
  <LinkButton tone="primary" icon="user" href={signInHref()}>
    Sign in
  </LinkButton>
)
