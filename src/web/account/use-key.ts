import { useCallback, useEffect, useState } from 'preact/hooks'
import type { KeyReply } from '../../contract/keys.ts'
import { call } from '../api.ts'
import { type Action, type Loaded, useAction, useLoad } from '../hooks.ts'
import { announce } from '../parts/toasts.tsx'

/** So that a look for the new hour does not still find the old one. */
const LATER_MS = 500

/** The account's key, and what the reader does about it. */
export type KeyDesk = {
  readonly loaded: Loaded<KeyReply>
  readonly reload: () => void
  readonly action: Action
  /** What the reader is asked to confirm. */
  readonly asked: 'regenerate' | 'revoke' | null
  readonly ask: (what: KeyDesk['asked']) => void
  readonly make: () => void
  readonly revoke: () => void
  /** A key that was just made: nobody can be shown it again. */
  readonly newKey: string | null
  readonly forgetNewKey: () => void
}

const loadKey = (signal: AbortSignal): Promise<KeyReply> => call('getKey', { signal })

/** Reads and changes the account's key. */
export const useKey = (): KeyDesk => {
  const { reload, change, ...loaded } = useLoad(loadKey)
  const action = useAction()
  const [asked, setAsked] = useState<KeyDesk['asked']>(null)
  const [newKey, setNewKey] = useState<string | null>(null)
  const { run, clear } = action
  const resetSeconds = loaded.value?.newKeysResetSeconds

  // With the hour, the keys that may be made begin anew.
  useEffect(() => {
    if (resetSeconds === undefined) return undefined
    const timer = setTimeout(reload, resetSeconds * 1000 + LATER_MS)
    return () => clearTimeout(timer)
  }, [resetSeconds, reload])

  const ask = (what: KeyDesk['asked']): void => {
    clear()
    setAsked(what)
  }

  const make = (): void =>
    void run(async () => {
      const { key, shown, createdAt } = await call('makeKey').catch((error: unknown) => {
        // How many are left, and whether there is a key, may be other than the page believed.
        reload()
        throw error
      })
      setAsked(null)
      setNewKey(key)
      change((before) => ({
        ...before,
        key: { shown, createdAt, lastUsedOn: null },
        newKeysLeft: Math.max(0, before.newKeysLeft - 1),
      }))
    })

  const revoke = (): void =>
    void run(async () => {
      await call('revokeKey')
      setAsked(null)
      change((before) => ({ ...before, key: null }))
      announce('API key revoked')
    })

  const forgetNewKey = useCallback(() => setNewKey(null), [])
  return { loaded, reload, action, asked, ask, make, revoke, newKey, forgetNewKey }
}
