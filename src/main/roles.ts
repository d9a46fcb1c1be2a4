/** What a process can do; one process does all, or several share the work over one database. */
export const roles = ['api', 'site', 'pools', 'worker'] as const

/**
 * `api`: the API of the packs service, and `site`: the website with the search index, both on PORT.
 * `pools`: the tournament-pools service with its account page. `worker`: stats and the building of
 * the search index.
 */
export type Role = (typeof roles)[number]

/** What a process does that is told nothing. */
export const allRoles: ReadonlySet<Role> = new Set(roles)
