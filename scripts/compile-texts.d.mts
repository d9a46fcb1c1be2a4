export function compileTexts(from?: string, to?: string): Promise<void>
export const PSEUDO_LANGUAGES: readonly string[]
