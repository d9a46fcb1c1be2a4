/** Keeps at most `bound` entries; beyond it the one that was set first is forgotten. */
export const remember = <V>(kept: Map<string, V>, bound: number, key: string, value: V): void => {
  const oldest = kept.size >= bound && !kept.has(key) ? kept.keys().next().value : undefined
  if (oldest !== undefined) kept.delete(oldest)
  kept.set(key, value)
}
