import type { JSX } from 'preact'

/** The mark of the site, the same as its icon: three slots in a crate. */
export const Mark = (): JSX.Element => (
  <svg class="mark" viewBox="0 0 64 64" aria-hidden="true">
    <rect class="mark-crate" width="64" height="64" rx="14" />
    <rect x="14" y="16" width="36" height="8" rx="4" fill="#60a5fa" />
    <rect x="14" y="28" width="27" height="8" rx="4" fill="#f87171" />
    <rect x="14" y="40" width="18" height="8" rx="4" fill="#c084fc" />
  </svg>
)
