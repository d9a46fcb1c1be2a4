import type { ComponentChildren, JSX } from 'preact'
import type { SitePack } from '../../contract/packs.ts'
import { formatMoment } from '../format.ts'
import { pageData } from '../page-data.ts'
import { Icon } from '../parts/icon.tsx'
import { PersonText, shownText } from '../parts/person-text.tsx'
import '../style/pack-page.css'

const visibilityWords: Readonly<Record<SitePack['visibility'], readonly [string, string]>> = {
  public: ['Public', 'Anyone can find it in Browse'],
  unlisted: ['Unlisted', 'Anyone with the link can open it. It is not shown in Browse.'],
  private: ['Private', 'Only the owner can open it'],
}

type Props = {
  readonly pack: SitePack
  /** What one can do with the pack. */
  readonly children: ComponentChildren
}

/** What a pack is and whose, with what one can do. */
export const PackHeader = ({ pack, children }: Props): JSX.Element => {
  const [visibility, meaning] = visibilityWords[pack.visibility]
  return (
    <header class="pack-header">
      <HiddenNote pack={pack} />
      <h1>
        <PersonText text={pack.name} />
      </h1>
      <p class="pack-facts">
        <span>
          by{' '}
          <b>
            <PersonText text={pack.ownerName} />
          </b>
        </span>
        <span title={meaning}>
          {visibility}
          <span class="sr-only">: {meaning}</span>
        </span>
        {pack.isPinned && (
          <span class="pack-pinned">
            <Icon name="pin" /> Pinned
          </span>
        )}
        <Moment what="Updated" at={pack.updatedAt} />
        {pack.createdAt !== pack.updatedAt && <Moment what="Created" at={pack.createdAt} />}
      </p>
      {pack.description !== undefined && (
        <p class="pack-description" dir="auto">
          {shownText(pack.description)}
        </p>
      )}
      <div class="actions">{children}</div>
    </header>
  )
}

const Moment = ({ what, at }: { readonly what: string; readonly at: string }): JSX.Element => (
  <span>
    {what} <time dateTime={at}>{formatMoment(at)}</time>
  </span>
)

const HiddenNote = ({ pack }: Pick<Props, 'pack'>): JSX.Element | null => {
  const { hiddenAt, hiddenReason, isMine } = pack
  if (hiddenAt === undefined) return null
  const seenBy = pageData().viewer?.isModerator ? 'the owner and moderators' : 'you and moderators'
  return (
    <div class="hidden-note">
      <Icon name="hidden" />
      <div>
        <p>
          <b>
            Hidden by a moderator since <time dateTime={hiddenAt}>{formatMoment(hiddenAt)}</time>.
          </b>{' '}
          Only {seenBy} can see it{isMine && ', even after you save it again'}.
        </p>
        {hiddenReason !== undefined && (
          <p>
            Reason: <PersonText text={hiddenReason} />
          </p>
        )}
      </div>
    </div>
  )
}
