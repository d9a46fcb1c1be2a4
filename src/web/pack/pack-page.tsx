import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { SitePack } from '../../contract/packs.ts'
import { call } from '../api.ts'
import { formatMoment } from '../format.ts'
import { pageData } from '../page-data.ts'
import { CopyButton } from '../parts/copying.tsx'
import { Icon } from '../parts/icons.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { whenSeen } from '../pool/beatmaps.ts'
import { SideJump } from '../pool/pool-side.tsx'
import { PoolView } from '../pool/pool-view.tsx'
import { CallFailure } from '../site-failure.ts'
import { Magnets } from './magnets.tsx'
import { ModeratorActions, PackActions } from './pack-actions.tsx'
import '../style/pack-page.css'
import '../style/side-card.css'

/** A pack: readable at once, its beatmaps filling in. */
export function PackPage({ first }: { readonly first: SitePack }): JSX.Element {
  const [pack, setPack, isWaiting] = usePack(first)
  const pool = useMemo(
    () => ({ name: pack.name, buckets: pack.buckets ?? null, slots: pack.slots }),
    [pack],
  )
  return (
    <main id="main" class="pack-page">
      <PackHeader pack={pack} />
      <PoolView
        pool={pool}
        packKey={pack.packKey}
        slug={pack.slug}
        stats={pack.stats}
        isWaiting={isWaiting}
      >
        <LinksCard pack={pack} />
        <Magnets pack={pack} onChange={setPack} />
        {pageData().viewer?.isModerator && <ModeratorActions pack={pack} onChange={setPack} />}
      </PoolView>
    </main>
  )
}

/** When to look whether stats have come, in seconds behind the look before; then one gives up. */
const FOR_STATS = [2, 3, 5, 8, 15, 30, 60] as const
/** What could not be looked up is tried again much later. */
const FOR_COMPLETE_STATS = [30, 120, 300] as const

/**
 * A pack as it is now. While its stats are absent or incomplete it is read again from time to time,
 * as long as somebody looks at the page.
 *
 * @returns the pack, what takes another state of it, and whether stats may still come.
 */
function usePack(
  first: SitePack,
): readonly [pack: SitePack, setPack: (pack: SitePack) => void, isWaiting: boolean] {
  const [pack, setPack] = useState(first)
  const [tries, setTries] = useState(0)
  const { slug, updatedAt, stats } = pack
  const waits: readonly number[] = stats === undefined ? FOR_STATS : FOR_COMPLETE_STATS
  const isOpen = stats === undefined || !stats.complete
  const wait = isOpen ? waits[tries] : undefined

  useEffect(() => setTries(0), [updatedAt, stats === undefined])
  useEffect(() => {
    if (wait === undefined) return undefined
    const closing = new AbortController()
    const { signal } = closing
    const look = async (): Promise<void> => {
      try {
        const { pack: now } = await call('getPack', { slug, signal })
        setPack((before) => withStatsOf(before, now))
        setTries(tries + 1)
      } catch (error) {
        const isGone = error instanceof CallFailure && error.status === 404
        if (!signal.aborted) setTries(isGone ? Infinity : tries + 1)
      }
    }
    const cancel = whenSeen(wait * 1000, () => void look())
    return () => {
      cancel()
      closing.abort()
    }
  }, [slug, wait, tries])
  return [pack, setPack, wait !== undefined]
}

/** Of a pack that has not been saved since, stats alone are news: the rest may be older than here. */
function withStatsOf(before: SitePack, now: SitePack): SitePack {
  if (before.updatedAt !== now.updatedAt) return now
  return now.stats === undefined ? before : { ...before, stats: now.stats }
}

const visibilityWords: Readonly<Record<SitePack['visibility'], readonly [string, string]>> = {
  public: ['Public', 'Anyone can find it in Browse'],
  unlisted: ['Unlisted', 'Anyone with the link can open it. It is not shown in Browse.'],
  private: ['Private', 'Only the owner can open it'],
}

function PackHeader({ pack }: { readonly pack: SitePack }): JSX.Element {
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
      <div class="actions">
        <PackActions pack={pack} />
        <SideJump />
      </div>
    </header>
  )
}

function HiddenNote({ pack }: { readonly pack: SitePack }): JSX.Element | null {
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

const Moment = ({ what, at }: { readonly what: string; readonly at: string }): JSX.Element => (
  <span>
    {what} <time dateTime={at}>{formatMoment(at)}</time>
  </span>
)

function LinksCard({ pack }: { readonly pack: SitePack }): JSX.Element {
  const { siteUrl, apiUrl } = pageData()
  const links = [
    ['This page', `${siteUrl}/p/${pack.slug}`],
    ['In the API', `${apiUrl}/api/v1/packs/${pack.slug}`],
  ] as const
  return (
    <section class="side-card" aria-labelledby="links-title">
      <h2 id="links-title">Links</h2>
      <ul class="side-list" role="list">
        {links.map(([name, url]) => (
          <li key={name}>
            <span class="side-words">
              {name}
              <span class="side-note side-cut">{url.replace(/^https?:\/\//, '')}</span>
            </span>
            <CopyButton text={url} what={`link: ${name}`} tone="quiet" />
          </li>
        ))}
      </ul>
    </section>
  )
}
