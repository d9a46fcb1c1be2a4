/** A lane as one speaks of it. */
export const laneName = (mod: string | null): string => mod ?? 'no bucket'
