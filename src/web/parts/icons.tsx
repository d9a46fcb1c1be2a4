/** Paths on a grid of 24. */
const strokes = {
  alert: 'M12 4 2.8 20h18.4L12 4Zm0 6v4.5m0 3v.01',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  close: 'm6 6 12 12M18 6 6 18',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  down: 'm6 9.5 6 6 6-6',
  download: 'M12 4v11m-5-4.5 5 5 5-5M5 20h14',
  drag: 'M9 6v.01M9 12v.01M9 18v.01M15 6v.01M15 12v.01M15 18v.01',
  edit: 'M5 19h3.5L19 8.5 15.5 5 5 15.5V19Zm8-11.5 3.5 3.5',
  external: 'M10 5H5v14h14v-5M14 5h5v5m0-5-8 8',
  filter: 'M4 7h16M7 12h10m-7 5h4',
  hidden:
    'M4 4l16 16M9.5 5.5A9.4 9.4 0 0 1 12 5c5 0 8 4.5 9 7a12 12 0 0 1-2.6 3.7M6 7.5A12 12 0 0 0 3 12c1 2.5 4 7 9 7 1.3 0 2.5-.3 3.5-.8',
  key: 'M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm4-4h9v4m-4-4v3',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3L12 6.3M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  magnet: 'M6 4H3v9a9 9 0 0 0 18 0V4h-6v9a3 3 0 0 1-6 0V4H6Zm-3 5h6m6 0h6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  minus: 'M5 12h14',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z',
  pin: 'M9 4h6l-1 6 4 4H6l4-4-1-6Zm3 10v6',
  play: 'M8 5v14l11-7L8 5Z',
  plus: 'M12 5v14M5 12h14',
  redo: 'M19 8H9a5 5 0 0 0 0 10h4m6-10-4-4m4 4-4 4',
  reverse: 'M8 5v14m0 0-4-4m4 4 4-4m4 4V5m0 0-4 4m4-4 4 4',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm5-1.5L20 20',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm0-13v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4',
  discussion: 'M5 5h14v11h-8l-4 4v-4H5z',
  trash: 'M4 7h16M10 4h4M6 7l1 13h10l1-13m-8 4v5m4-5v5',
  undo: 'M5 8h10a5 5 0 0 1 0 10h-4M5 8l4-4M5 8l4 4',
  up: 'm6 14.5 6-6 6 6',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7 8c.5-3.5 3.5-5 7-5s6.5 1.5 7 5',
} as const
export type IconName = keyof typeof strokes

/** A drawing next to words, or in a button that has a name of its own; screen readers skip it. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={strokes[name]} />
  </svg>
)

/** The mark of the site, the same as its icon: three slots in a crate. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 64 64" aria-hidden="true">
    <rect class="mark-crate" width="64" height="64" rx="14" />
    <rect x="14" y="16" width="36" height="8" rx="4" fill="#60a5fa" />
    <rect x="14" y="28" width="27" height="8" rx="4" fill="#f87171" />
    <rect x="14" y="40" width="18" height="8" rx="4" fill="#c084fc" />
  </svg>
)
