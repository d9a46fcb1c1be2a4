export function compileTexts(from?: string, to?: string): Promise<void>
export function findUntranslated(from?: string): Promise<string[]>
export const PSEUDO_LANGUAGES: readonly string[]
