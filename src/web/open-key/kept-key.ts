// Signing in leads over other sites' pages and back to /k. The key stays in this tab meanwhile: no
// address that a server sees holds it.
const PLACE = 'open-key'

const leadsToSignIn = (event: Event): boolean =>
  event.target instanceof Element && event.target.closest('a[href^="/sign-in"]') !== null

/** Keeps the key of the address whenever somebody goes to sign in. */
export const keepKeyAtSignIn = (): void => {
  document.addEventListener('click', (event) => {
    if (!leadsToSignIn(event)) return
    try {
      sessionStorage.setItem(PLACE, location.hash)
    } catch {
      // Storage is off: the key has to be pasted again.
    }
  })
}

/** Puts a key that was kept back into the address, unless there is another one by now. */
export const bringKeyBack = (): void => {
  try {
    const kept = sessionStorage.getItem(PLACE)
    sessionStorage.removeItem(PLACE)
    if (kept?.startsWith('#') && location.hash === '') {
      history.replaceState(null, '', location.pathname + location.search + kept)
    }
  } catch {
    // Storage is off.
  }
}
