/** How somebody left their account; the page that they come to says so. */
export const partings = ['signed-out', 'deleted'] as const
export type Parting = (typeof partings)[number]

/** Where somebody goes who has left: a page of either service. */
export const partingHref = (parting: Parting): string => `/account?left=${parting}`

/** How the reader left, by the query of the address; null when they did not. */
export const readParting = (search: string): Parting | null => {
  const left = new URLSearchParams(search).get('left')
  return partings.find((parting) => parting === left) ?? null
}
