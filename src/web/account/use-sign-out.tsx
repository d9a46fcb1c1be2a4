import { useState } from 'preact/hooks'
import { useAction } from '../action.ts'
import { countUnsaved } from '../kept.ts'
import { loadedPart } from '../parts/loaded-part.tsx'
import { signOut } from './sign-out.ts'

const SignOutDialog = loadedPart(async () => (await import('./sign-out-dialog.tsx')).SignOutDialog)

/** Signs out at a press; asks before, if what is not saved would go. */
export function useSignOut() {
  const action = useAction()
  const [asked, setAsked] = useState<{ unsaved: number; everywhere: boolean } | null>(null)
  const press = (everywhere: boolean): void => {
    const unsaved = countUnsaved()
    if (unsaved > 0) setAsked({ unsaved, everywhere })
    else action.run(() => signOut(everywhere))
  }
  const dialog = asked && <SignOutDialog {...asked} onClose={() => setAsked(null)} />
  return { ...action, press, dialog }
}
