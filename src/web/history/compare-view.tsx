import * as texts from '#texts/history'
import { useMemo } from 'preact/hooks'
import type { PackVersion, WholeVersion } from '../../contract/history.ts'
import type { SitePack } from '../../contract/packs.ts'
import { comparePacks } from '../../pool/comparison.ts'
import { useAskedAction } from '../action.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { PersonText } from '../parts/labels.tsx'
import { SkeletonRows } from '../parts/notices.tsx'
import { LookNote } from '../pool/look-note.tsx'
import { changeOf, Differences, slotsOfChanges, useBeatmapsOf } from './differences.tsx'
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

type CompareProps = { readonly pack: SitePack; readonly a: number; readonly b: number }

/** What changed from version `a` to version `b`, side by side. */
export function CompareView({ pack, a, b }: CompareProps) {
  const { slug } = pack
  const { name } = pack
  const title = texts.titleOfVersions({ a: String(a), b: String(b), name })
  const { value, error, reload } = useVersions(slug, [a, b], title)
  const [from, to] = value ?? []
  return (
    <main id="main" class="history-page">
      <header class="pack-header">
        <h1>
          {texts.versionsOf({
            a: String(a),
            b: String(b),
            name: <PersonText text={pack.name} />,
          })}
        </h1>
        <p class="actions">
          <LinkButton label={texts.allVersions} href={historyHref(slug)} />
          <LinkButton icon="reverse" label={texts.swap} href={historyHref(slug, { a: b, b: a })} />
        </p>
        <form class="compare-others" action={historyHref(slug)}>
          <VersionField name="a" label={texts.from} value={a} />
          <VersionField name="b" label={texts.to} value={b} />
          <Button type="submit" label={texts.compare} />
        </form>
      </header>
      {error !== null && <NoVersion slug={slug} error={error} onRetry={reload} />}
      {value === null && error === null && <SkeletonRows rows={6} label={texts.loadingBoth} />}
      {from && to && <Comparison pack={pack} from={from} to={to} />}
    </main>
  )
}

const VersionField = (props: { name: string; label: string; value: number }) => (
  <label>
    {props.label}
    <input
      class="field"
      type="number"
      name={props.name}
      min={1}
      required
      defaultValue={props.value}
    />
  </label>
)

type ComparisonProps = {
  readonly pack: SitePack
  readonly from: WholeVersion
  readonly to: WholeVersion
}

function Comparison({ pack, from, to }: ComparisonProps) {
  const restoring = useAskedAction<PackVersion>()
  const change = useMemo(() => changeOf(comparePacks(from, to), to), [from, to])
  const beatmaps = useBeatmapsOf([change], pack.slug)
  return (
    <div class={beatmaps.phase === 'stalled' ? 'pool-stalled' : undefined}>
      <div class="compare-sides">
        {[from, to].map((version, at) => (
          <section key={at} class="side-card" aria-label={at === 0 ? texts.from : texts.to}>
            <h2>{texts.version(numberOf(version))}</h2>
            <Facts version={version} />
            <p class="actions">
              <LinkButton
                label={texts.open}
                aria-label={texts.openVersion(numberOf(version))}
                href={historyHref(pack.slug, { version: version.version })}
              />
              {pack.isMine && (
                <RestoreButton
                  version={version}
                  isCurrent={isCurrent(version, pack)}
                  onAsk={restoring.ask}
                />
              )}
            </p>
          </section>
        ))}
      </div>
      <h2 class="compare-title">
        {change.differences.length === 0
          ? texts.nothingDiffers
          : texts.differences({ n: change.differences.length })}
      </h2>
      <LookNote slots={slotsOfChanges([change], beatmaps)} beatmaps={beatmaps} />
      <Differences change={change} beatmaps={beatmaps} isWhole />
      <RestoreDialog slug={pack.slug} action={restoring} />
    </div>
  )
}
