import * as words from '#texts/common'
import * as texts from '#texts/pack'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { MAX_VERSIONS } from '../../contract/bounds.ts'
import type { SitePack } from '../../contract/packs.ts'
import { useAskedAction } from '../action.ts'
import { call } from '../api.ts'
import { orGone, orLook, untilAnswered, whenLost } from '../lost-answers.ts'
import { ownerHref, pageData } from '../page-data.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Button, LinkButton, signInLink } from '../parts/buttons.tsx'
import { CopyButton } from '../parts/copying.tsx'
import { DeletePackDialog } from '../parts/delete-pack-dialog.tsx'
import { Icon } from '../parts/icons.tsx'
import { ownerText, PersonText, shownText } from '../parts/labels.tsx'
import { loadedPart } from '../parts/loaded-part.tsx'
import { Time } from '../parts/times.tsx'
import { leaveFor } from '../parts/toasts.tsx'
import { whenSeen } from '../pool/beatmaps.ts'
import { LinksCard, SideJump } from '../pool/pool-side.tsx'
import { PoolView } from '../pool/pool-view.tsx'
import { PackRound } from '../pool/round-extras.tsx'
import { isNotFound } from '../site-failure.ts'
import { copyOf, createAndOpen } from './create-pack.ts'
import { Magnets } from './magnets.tsx'
import { PackFields } from './pack-fields.tsx'
import '../style/pack-page.css'
import '../style/side-card.css'

const ModeratorActions = loadedPart(
  async () => (await import('./moderator-actions.tsx')).ModeratorActions,
)

export function PackPage({ first }: { first: SitePack }) {
  const { siteUrl, apiUrl } = pageData()
  const { pack, take, isWaiting } = usePack(first)
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
            [texts.thisPage, `${siteUrl}/p/${pack.slug}`],
            [texts.inApi, `${apiUrl}/api/v1/packs/${pack.slug}`],
          ]}
        />
        <Magnets pack={pack} onChange={take} />
        {/* Private packs are not seen by moderators (D-30). */}
        {pageData().viewer?.isModerator && pack.visibility !== 'private' && (
          <ModeratorActions pack={pack} onChange={take} />
        )}
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

  useEffect(() => {
    const read = () => untilAnswered(() => call('getPack', { slug }), true)
    return whenLost(() => {
      read().then(
        ({ pack: now }) => setPack(now),
        () => {},
      )
    })
  }, [slug])
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
        const isGone = isNotFound(error)
        if (!signal.aborted) setTries(isGone ? Infinity : tries + 1)
      }
    }
    const cancel = whenSeen(wait * 1000, () => void look())
    return () => {
      cancel()
      closing.abort()
    }
  }, [slug, wait, tries])
  const take = (now: SitePack): void => setPack((before) => ({ ...statsFor(now, before), ...now }))
  return { pack, take, isWaiting: wait !== undefined }
}

/** What came while a change was made may not be in its answer. */
const statsFor = ({ updatedAt }: SitePack, { stats, ...before }: SitePack): Partial<SitePack> =>
  before.updatedAt === updatedAt && stats !== undefined ? { stats } : {}

/** Of a pack that was not saved since, only the stats are new: the rest may be older than here. */
function withStatsOf(before: SitePack, now: SitePack): SitePack {
  if (before.updatedAt !== now.updatedAt) return now
  return now.stats === undefined ? before : { ...before, stats: now.stats }
}

const visibilityWords = {
  public: [texts.publicPack, texts.publicMeans],
  unlisted: [texts.unlistedPack, texts.unlistedMeans],
  private: [texts.privatePack, texts.privateMeans],
} as const

function PackHeader({ pack }: { pack: SitePack }) {
  const [name, means] = visibilityWords[pack.visibility]
  const isHidden = pack.hiddenAt !== undefined
  const visibility = isHidden ? words.hiddenAs({ visibility: name }) : name
  const meaning = isHidden ? texts.hiddenMeans : means
  return (
    <header class="pack-header">
      <HiddenNote pack={pack} />
      <RoundNav />
      <PersonText within="h1" text={pack.name} />
      <p class="pack-facts">
        {/* A round says what it belongs to. */}
        {pageData().round === undefined && (
          <span>
            {texts.byOwner({
              owner: (
                <PersonText
                  href={ownerHref(pack.ownerName)}
                  within="b"
                  text={ownerText(pack.ownerName)}
                />
              ),
            })}
          </span>
        )}
        <span title={meaning}>
          {visibility}
          <span class="sr-only">: {meaning}</span>
        </span>
        {pack.isPinned && (
          <span class="pack-pinned">
            <Icon name="pin" /> {texts.pinned}
          </span>
        )}
        <span>{texts.updated({ time: <Time at={pack.updatedAt} /> })}</span>
        {pack.createdAt !== pack.updatedAt && (
          <span>{texts.created({ time: <Time at={pack.createdAt} /> })}</span>
        )}
        <HistoryLink pack={pack} />
      </p>
      <PackRound buckets={pack.buckets} />
      <PackFields of={pack} />
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
    <nav class="pack-round" aria-label={texts.tournament}>
      <span>
        {texts.roundOf({
          round: <PersonText within="b" text={name} />,
          tournament: (
            <PersonText href={`${poolsUrl}/t/${tournament.slug}`} text={tournament.name} />
          ),
        })}
      </span>
      {before && (
        <a href={`/p/${before.packSlug}`} rel="prev">
          <span aria-hidden="true">← </span>
          <span class="sr-only">{texts.previousRound} </span>
          <PersonText text={before.name} />
        </a>
      )}
      {after && (
        <a href={`/p/${after.packSlug}`} rel="next">
          <span class="sr-only">{texts.nextRound} </span>
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
  const changed = changes.count === MAX_VERSIONS - 1 ? texts.changedAtLeast : texts.changedSince
  return (
    <a href={`/p/${slug}/history`}>
      {changes.count === 0 || round === undefined ? texts.history : changed({ n: changes.count })}
    </a>
  )
}

function HiddenNote({ pack: { hiddenAt, hiddenReason, isMine } }: { pack: SitePack }) {
  if (hiddenAt === undefined) return null
  const hidden = isMine ? texts.hiddenForOwner : texts.hiddenForModerators
  return (
    <div class="hidden-note">
      <Icon name="hidden" />
      <div>
        <p>{hidden({ b: (children) => <b>{children}</b>, time: <Time at={hiddenAt} /> })}</p>
        {hiddenReason !== undefined && (
          <p>{texts.hiddenReason({ reason: <PersonText text={hiddenReason} /> })}</p>
        )}
      </div>
    </div>
  )
}

/** What can be done with a pack, by anyone, the signed in and the owner. */
function PackActions({ pack }: { pack: SitePack }) {
  const { siteUrl, viewer } = pageData()
  const path = `/p/${pack.slug}`
  return (
    <>
      <CopyButton
        text={siteUrl + path}
        copied={words.linkCopied}
        label={words.copyLink}
        tone="primary"
      />
      {pack.isMine && <LinkButton icon="edit" label={texts.edit} href={`${path}/edit`} />}
      {viewer === null ? (
        <LinkButton icon="plus" label={texts.makeCopy} {...signInLink()} />
      ) : (
        <ActionButton icon="plus" label={texts.makeCopy} work={() => createAndOpen(copyOf(pack))} />
      )}
      {pack.isMine && <DeletePack pack={pack} />}
    </>
  )
}

function DeletePack({ pack }: { pack: SitePack }) {
  const deletion = useAskedAction<SitePack>()
  const remove = (): void =>
    deletion.run(async () => {
      const { slug } = pack
      await orLook(
        () => call('deletePack', { slug }),
        // Its owner sees it as long as it is there.
        async () => ((await orGone(call('getPack', { slug }))) === null ? undefined : null),
      )
      return leaveFor('/me', texts.deleted({ name: shownText(pack.name) }))
    })
  return (
    <>
      <Button
        tone="danger"
        icon="trash"
        label={texts.deleteIt}
        onClick={() => deletion.ask(pack)}
      />
      <DeletePackDialog deletion={deletion} onConfirm={remove} />
    </>
  )
}
