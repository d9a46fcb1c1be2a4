/** What a page shows as its site's own (D-102). */
export type OwnSite = {
  /** What this installation is called, isolated where it is written right to left. */
  readonly siteName: string
  /** Path of its logo; left out: the mark of the software. */
  readonly logo?: string
  /** `mailto:` or `https:`. */
  readonly contact?: string
  /** What the software is called; left out where the site is called so, too. */
  readonly poweredBy?: string
}
