import type { JSX } from 'preact'

/** Keeps the place of rows that are still being loaded. */
export const SkeletonRows = ({ rows, what }: { readonly rows: number; readonly what: string }) => (
  <div class="skeleton" role="status">
    <span class="sr-only">Loading {what} …</span>
    {Array.from({ length: rows }, (_, row) => (
      <SkeletonRow key={row} />
    ))}
  </div>
)

const SkeletonRow = (): JSX.Element => (
  <span class="skeleton-row" aria-hidden="true">
    <span />
    <span />
  </span>
)
