import * as texts from '#texts/history'
import { useMemo } from 'preact/hooks'
import type { PackVersion, WholeVersion } from '../../contract/history.ts'
import type { SitePack } from '../../contract/packs.ts'
import { useAskedAction } from '../action.ts'
import { LinkButton } from '../parts/buttons.tsx'
import { PersonText } from '../parts/labels.tsx'
import { SkeletonRows } from '../parts/notices.tsx'
import { SideJump } from '../pool/pool-side.tsx'
import { PackFields } from '../pack/pack-fields.tsx'
import { PoolView } from '../pool/pool-view.tsx'
import { changeOf, Differences, useBeatmapsOf } from './differences.tsx'
import {
  Facts,
  historyHref,
  isCurrent,
  NoVersion,
  numberOf,
  RestoreButton,
  RestoreDialog,
  useVersions,
} from './versions.tsx'

type VersionProps = { readonly pack: SitePack; readonly version: number }

/** A whole version, its pool as on the pack's own page. */
export function VersionView({ pack, version }: VersionProps) {
  const { slug } = pack
  const title = texts.titleOfVersion({ version: String(version), name: pack.name })
  const { value, error, reload } = useVersions(slug, [version], title)
  const [whole] = value ?? []
  return (
    <main id="main" class="pack-page">
      {whole !== undefined ? (
        <Whole pack={pack} version={whole} />
      ) : (
        <>
          <h1>{texts.version({ version: String(version) })}</h1>
          {error === null ? (
            <SkeletonRows rows={8} label={texts.loadingVersion} />
          ) : (
            <NoVersion slug={slug} error={error} onRetry={reload} />
          )}
        </>
      )}
    </main>
  )
}

function Whole({ pack, version }: { readonly pack: SitePack; readonly version: WholeVersion }) {
  const { name, buckets = null, slots, packKey } = version
  const restoring = useAskedAction<PackVersion>()
  const pool = useMemo(() => ({ name, buckets, slots }), [version])
  return (
    <>
      <header class="pack-header">
        <h1>{texts.versionOf({ ...numberOf(version), name: <PersonText text={name} /> })}</h1>
        <p class="pack-facts">
          <Facts version={version} />
        </p>
        <PackFields of={version} />
        <div class="actions">
          <LinkButton label={texts.allVersions} href={historyHref(pack.slug)} />
          <LinkButton label={texts.toPack} href={`/p/${pack.slug}`} />
          {pack.isMine && (
            <RestoreButton
              version={version}
              isCurrent={isCurrent(version, pack)}
              onAsk={restoring.ask}
            />
          )}
          <SideJump />
        </div>
      </header>
      {version.changes.length > 0 && <Changes version={version} slug={pack.slug} />}
      <PoolView pool={pool} packKey={packKey} slug={pack.slug} />
      <RestoreDialog slug={pack.slug} action={restoring} />
    </>
  )
}

function Changes({ version, slug }: { readonly version: WholeVersion; readonly slug: string }) {
  const change = useMemo(() => changeOf(version.changes, version), [version])
  const beatmaps = useBeatmapsOf([change], slug)
  return (
    <section class="version-changes" aria-labelledby="version-changes-title">
      <h2 id="version-changes-title">{texts.changesInVersion}</h2>
      <Differences change={change} beatmaps={beatmaps} />
    </section>
  )
}
