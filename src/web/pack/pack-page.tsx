import { useEffect, useMemo, useState } from 'preact/hooks'
import { MAX_VERSIONS } from '../../contract/bounds.ts'
import type { SitePack } from '../../contract/packs.ts'
import { useAskedAction } from '../action.ts'
import { call } from '../api.ts'
import { count } from '../format.ts'
import { ownerHref, pageData } from '../page-data.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Button, LinkButton, signInHref } from '../parts/buttons.tsx'
import { CopyButton } from '../parts/copying.tsx'
import { DeletePackDialog } from '../parts/delete-pack-dialog.tsx'
import { Icon } from '../parts/icons.tsx'
import { Description, PersonText } from '../parts/labels.tsx'
import { ReasonDialog } from '../parts/reason-dialog.tsx'
import { Time } from '../parts/times.tsx'
import { announce } from '../parts/toasts.tsx'
import { whenSeen } from '../pool/beatmaps.ts'
import { LinksCard, SideJump } from '../pool/pool-side.tsx'
import { PoolView } from '../pool/pool-view.tsx'
import { PackRound } from '../pool/round-extras.tsx'
import { CallFailure } from '../site-failure.ts'
import { copyOf, createAndOpen } from './create-pack.ts'
import { Magnets, type PackProps } from './magnets.tsx'
import '../style/pack-page.css'
import '../style/side-card.css'

export function PackPage({ first }: { first: SitePack }) {
  const { siteUrl, apiUrl } = pageData()
  const { pack, setPack, isWaiting } = usePack(first)
  const pool = useMemo(
    () => ({ name: pack.name, buckets: pack.buckets ?? null, slots: pack.slots }),
    [pack],
  )
  const isOpen = pack.visibility !== 'private' && pack.hiddenAt === undefined
  return (
    <main id="main" class="pack-page">
      <PackHeader pack={pack} />
      <PoolView
        pool={pool}
        packKey={pack.packKey}
        slug={pack.slug}
        stats={pack.stats}
        isWaiting={isWaiting}
        picture={isOpen ? `/p/${pack.slug}/pool.png` : undefined}
      >
        <LinksCard
          links={[
            ['This page', `${siteUrl}/p/${pack.slug}`],
            ['In the API', `${apiUrl}/api/v1/packs/${pack.slug}`],
          ]}
        />
        <Magnets pack={pack} onChange={setPack} />
        {pageData().viewer?.isModerator && <ModeratorActions pack={pack} onChange={setPack} />}
      </PoolView>
    </main>
  )
}

/** Seconds to wait before each look for stats that have not come. */
const FOR_STATS = [2, 3, 5, 8, 15, 30, 60]
/** As above, for stats that lack beatmaps which could not be looked up. */
const FOR_COMPLETE_STATS = [30, 120, 300]

/** A pack as it is now, read again while its stats are incomplete; `isWaiting`: they may still come. */
function usePack(first: SitePack) {
  const [pack, setPack] = useState(first)
  const [tries, setTries] = useState(0)
  const { slug, updatedAt, stats } = pack
  const waits = stats === undefined ? FOR_STATS : FOR_COMPLETE_STATS
  const wait = stats?.complete ? undefined : waits[tries]

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
  return { pack, setPack, isWaiting: wait !== undefined }
}

/** Of a pack that was not saved since, only the stats are new: the rest may be older than here. */
function withStatsOf(before: SitePack, now: SitePack): SitePack {
  if (before.updatedAt !== now.updatedAt) return now
  return now.stats === undefined ? before : { ...before, stats: now.stats }
}

const visibilityWords = {
  public: ['Public', 'Anyone can find it in Browse'],
  unlisted: ['Unlisted', 'Anyone with the link can open it. It is not shown in Browse.'],
  private: ['Private', 'Only the owner can open it'],
} as const

function PackHeader({ pack }: { pack: SitePack }) {
  const [visibility, meaning] = visibilityWords[pack.visibility]
  return (
    <header class="pack-header">
      <HiddenNote pack={pack} />
      <RoundNav />
      <PersonText within="h1" text={pack.name} />
      <p class="pack-facts">
        {/* A round says what it belongs to. */}
        {pageData().round === undefined && (
          <span>
            by <PersonText href={ownerHref(pack.ownerName)} within="b" text={pack.ownerName} />
          </span>
        )}
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
        <HistoryLink pack={pack} />
      </p>
      <PackRound buckets={pack.buckets} />
      <Description text={pack.description} />
      <div class="actions">
        <PackActions pack={pack} />
        <SideJump />
      </div>
    </header>
  )
}

/** The tournament and the round that the pack was released for, and the packs before and after it. */
function RoundNav() {
  const { round, poolsUrl } = pageData()
  if (round === undefined) return null
  const { tournament, name, before, after } = round
  return (
    <nav class="pack-round" aria-label="Tournament">
      <span>
        <PersonText within="b" text={name} /> of{' '}
        <PersonText href={`${poolsUrl}/t/${tournament.slug}`} text={tournament.name} />
      </span>
      {before && (
        <a href={`/p/${before.packSlug}`} rel="prev">
          <span aria-hidden="true">← </span>
          <span class="sr-only">Previous round: </span>
          <PersonText text={before.name} />
        </a>
      )}
      {after && (
        <a href={`/p/${after.packSlug}`} rel="next">
          <span class="sr-only">Next round: </span>
          <PersonText text={after.name} />
          <span aria-hidden="true"> →</span>
        </a>
      )}
    </nav>
  )
}

/** For those who may read the history; others learn nothing of it (D-70). */
function HistoryLink({ pack: { slug, isMine } }: { pack: SitePack }) {
  const { changes, round } = pageData()
  if (changes === undefined || (changes.count === 0 && !isMine)) return null
  // Changes before the versions that are kept are not counted.
  const atLeast = changes.count === MAX_VERSIONS - 1 ? 'at least ' : ''
  return (
    <a href={`/p/${slug}/history`}>
      {changes.count === 0 || round === undefined
        ? 'History'
        : `Changed ${atLeast}${count(changes.count, 'time')} since release`}
    </a>
  )
}

function HiddenNote({ pack: { hiddenAt, hiddenReason, isMine } }: { pack: SitePack }) {
  if (hiddenAt === undefined) return null
  const seenBy = pageData().viewer?.isModerator ? 'the owner and moderators' : 'you and moderators'
  return (
    <div class="hidden-note">
      <Icon name="hidden" />
      <div>
        <p>
          <b>
            Hidden by a moderator since <Time at={hiddenAt} />.
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

const Moment = ({ what, at }: { what: string; at: string }) => (
  <span>
    {what} <Time at={at} />
  </span>
)

/** What can be done with a pack, by anyone, the signed in and the owner. */
function PackActions({ pack }: { pack: SitePack }) {
  const { siteUrl, viewer } = pageData()
  const path = `/p/${pack.slug}`
  return (
    <>
      <CopyButton text={siteUrl + path} what="pack link" label="Copy link" tone="primary" />
      {pack.isMine && <LinkButton icon="edit" label="Edit" href={`${path}/edit`} />}
      {viewer === null ? (
        <LinkButton icon="plus" label="Make a copy" href={signInHref()} />
      ) : (
        <ActionButton icon="plus" label="Make a copy" work={() => createAndOpen(copyOf(pack))} />
      )}
      {pack.isMine && <DeletePack pack={pack} />}
    </>
  )
}

function DeletePack({ pack }: { pack: SitePack }) {
  const deletion = useAskedAction<SitePack>()
  const remove = (): void =>
    deletion.run(async () => {
      await call('deletePack', { slug: pack.slug })
      location.assign('/me')
    })
  return (
    <>
      <Button tone="danger" icon="trash" label="Delete" onClick={() => deletion.ask(pack)} />
      <DeletePackDialog deletion={deletion} onConfirm={remove} />
    </>
  )
}

/** Hide and unhide, pin and unpin. Nothing for private packs, which moderators do not see (D-30). */
function ModeratorActions({ pack, onChange }: PackProps) {
  if (pack.visibility === 'private') return null
  const togglePin = async (): Promise<void> => {
    const name = pack.isPinned ? 'unpinPack' : 'pinPack'
    const { pack: now } = await call(name, { slug: pack.slug, body: {} })
    onChange({ ...pack, ...now })
    announce(now.isPinned ? 'Pinned' : 'Unpinned')
  }
  return (
    <section class="side-card" aria-labelledby="moderation-title">
      <h2 id="moderation-title">Moderation</h2>
      <p class="actions">
        <HideButton pack={pack} onChange={onChange} />
        {pack.visibility === 'public' && pack.hiddenAt === undefined && (
          <ActionButton icon="pin" label={pack.isPinned ? 'Unpin' : 'Pin'} work={togglePin} />
        )}
      </p>
    </section>
  )
}

function HideButton({ pack, onChange }: PackProps) {
  const action = useAskedAction<SitePack>()
  const isHidden = pack.hiddenAt !== undefined
  const change = (reason: string): void =>
    action.run(async () => {
      const name = isHidden ? 'unhidePack' : 'hidePack'
      const { pack: now } = await call(name, { slug: pack.slug, body: { reason } })
      const { hiddenAt: _, hiddenReason: __, ...rest } = pack
      onChange({ ...rest, ...now })
      action.close()
      announce(isHidden ? 'Pack unhidden' : 'Pack hidden')
    })
  return (
    <>
      <Button
        icon="hidden"
        label={isHidden ? 'Unhide …' : 'Hide …'}
        onClick={() => action.ask(pack)}
      />
      <ReasonDialog verdict={isHidden ? 'unhide' : 'hide'} action={action} onReason={change} />
    </>
  )
}
