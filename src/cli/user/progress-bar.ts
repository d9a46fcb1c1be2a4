const CELLS = 20

/** `[#######             ] 7 of 20  Semifinals`. */
export const progressBar = (done: number, all: number, what: string): string => {
  const filled = all === 0 ? CELLS : Math.floor((CELLS * done) / all)
  return `[${'#'.repeat(filled).padEnd(CELLS)}] ${done} of ${all}  ${what}`
}
