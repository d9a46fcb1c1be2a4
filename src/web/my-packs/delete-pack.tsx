import type { JSX } from 'preact'
import { CopyButton } from '../parts/copy-button.tsx'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { Trouble } from '../parts/trouble.tsx'
import type { MyPacks } from './use-my-packs.ts'

/** Asks before a pack is gone, and offers what would bring its pool back. */
export const DeletePack = ({ packs }: { readonly packs: MyPacks }): JSX.Element => {
  const { doomed, doom, remove, task } = packs
  return (
    <ConfirmDialog
      title="Delete this pack?"
      action="Delete the pack"
      isOpen={doomed !== null}
      busy={task.isBusy}
      onConfirm={remove}
      onCancel={() => doom(null)}
    >
      <p>
        <b>{doomed?.name}</b> and its magnet links will be gone for good, and the link to it leads
        nowhere.
      </p>
      <p class="my-pack-rescue">
        <span>Its pack key holds the whole pool. Keep it, and you can save the pool again.</span>
        <CopyButton text={doomed?.packKey ?? ''} what="pack key" label="Copy pack key" />
      </p>
      <Trouble error={task.error}>The pack is still there.</Trouble>
    </ConfirmDialog>
  )
}
