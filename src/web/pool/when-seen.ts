/**
 * Calls back after so many ms, and not before somebody looks at the page; the function that it gives
 * calls it off.
 */
export const whenSeen = (ms: number, then: () => void): (() => void) => {
  const look = (): void => {
    if (document.hidden) return
    document.removeEventListener('visibilitychange', look)
    then()
  }
  const timer = setTimeout(() => {
    document.addEventListener('visibilitychange', look)
    look()
  }, ms)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
  }
}
