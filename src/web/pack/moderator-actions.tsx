import * as texts from '#texts/moderation'
import type { ReasonedVerdict } from '../../contract/moderation.ts'
import type { SitePack } from '../../contract/packs.ts'
import { useAskedAction } from '../action.ts'
import { call } from '../api.ts'
import { inEnglish } from '../page-data.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Button } from '../parts/buttons.tsx'
import { ReasonDialog } from '../parts/reason-dialog.tsx'
import { announceInEnglish } from '../moderation/announce-in-english.ts'
import type { PackProps } from './magnets.tsx'

/** Hide and unhide, pin and unpin a pack that others may see. */
export function ModeratorActions({ pack, onChange }: PackProps) {
  const togglePin = async (): Promise<void> => {
    const name = pack.isPinned ? 'unpinPack' : 'pinPack'
    const { pack: now } = await call(name, { slug: pack.slug, body: {} })
    onChange(now)
    announceInEnglish(now.isPinned ? texts.packPinned : texts.packUnpinned)
  }
  return (
    <section class="side-card" aria-labelledby="moderation-title" {...inEnglish}>
      <h2 id="moderation-title">{texts.packModeration}</h2>
      <p class="actions">
        <HideButton pack={pack} onChange={onChange} />
        {pack.visibility === 'public' && pack.hiddenAt === undefined && (
          <ActionButton
            icon="pin"
            label={pack.isPinned ? texts.packUnpin : texts.packPin}
            work={togglePin}
          />
        )}
      </p>
    </section>
  )
}

function HideButton({ pack, onChange }: PackProps) {
  const action = useAskedAction<SitePack>()
  const isHidden = pack.hiddenAt !== undefined
  const change = (body: ReasonedVerdict): void =>
    action.run(async () => {
      const name = isHidden ? 'unhidePack' : 'hidePack'
      const { pack: now } = await call(name, { slug: pack.slug, body })
      onChange(now)
      action.close()
      announceInEnglish(isHidden ? texts.packUnhidden : texts.packHidden)
    })
  return (
    <>
      <Button
        icon="hidden"
        label={isHidden ? texts.packUnhide : texts.packHide}
        onClick={() => action.ask(pack)}
      />
      <ReasonDialog verdict={isHidden ? 'unhide' : 'hide'} action={action} onReason={change} />
    </>
  )
}
