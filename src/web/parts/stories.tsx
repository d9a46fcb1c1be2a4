import * as words from '#texts/common'
import * as texts from '#texts/home'
import type { ComponentChildren } from 'preact'
import { hasSite, ownHref, siteHref } from '../../contract/page-data.ts'
import { pageData } from '../page-data.ts'
import { bucketColor } from '../pool/slot-parts.tsx'
import { LinkButton } from './buttons.tsx'
import { StarBadge } from './stars.tsx'
import '../style/front-page.css'

// What the site is for, shown with the parts of its pages. The beatmaps are made up, and it says so.

// The same songs are in both examples: a draft becomes a pool.
const paperLanterns = { code: 'NM', index: 1, title: texts.songPaperLanterns } as const
const quietHarbour = { code: 'HD', index: 1, title: texts.songQuietHarbour } as const
const copperRain = { code: 'HR', index: 1, title: texts.songCopperRain } as const

/** A tournament that its staff are drafting. */
export function DraftStory() {
  const data = pageData()
  if (!hasSite(data, 'pools')) return null
  return (
    <Story id="draft-story" title={texts.draftStory}>
      <p>{texts.draftStoryText}</p>
      <Example about={texts.draftExample} state={texts.draftExampleState}>
        <Row {...paperLanterns} stars={6.42} note={texts.votes({ n: '4' })} />
        <Row {...quietHarbour} stars={6.31} note={texts.candidates({ n: 2 })} />
        <Row {...copperRain} stars={7.18} note={texts.aboveTarget} isBad />
        <Row code="DT" index={1} title={texts.customMap} note={texts.planned} />
        <Row code="TB" title={texts.songNineBridges} stars={7.05} note={texts.remarks({ n: 1 })} />
      </Example>
      <p class="actions">
        <MyTournaments />
        {data.service !== 'pools' && (
          <LinkButton label={texts.allTournaments} href={siteHref(data, 'pools', '/')} />
        )}
        <LinkButton tone="quiet" label={texts.howItWorks} href="/docs/tournaments" />
      </p>
    </Story>
  )
}

/** Leads to the list of one's own workspaces, by way of signing in where that is needed. */
function MyTournaments() {
  const data = pageData()
  const isHere = data.service === 'pools'
  const signIn = `/sign-in?return=${encodeURIComponent('/my')}`
  const here = data.viewer === null ? signIn : '/my'
  const href = isHere ? here : ownHref(data, 'pools', '/my')
  return <LinkButton tone="primary" label={texts.myTournaments} href={href} />
}

/** A pool that was put together. */
export function PoolStory() {
  const data = pageData()
  if (!hasSite(data, 'packs')) return null
  return (
    <Story id="pool-story" title={texts.poolStory}>
      <p>{texts.poolStoryText}</p>
      <Example about={texts.poolExample} state={texts.poolExampleState}>
        <Row {...paperLanterns} stars={5.87} note="3:12 · 184 BPM" />
        <Row code="NM" index={2} title={texts.songSlowTide} stars={6.02} note="2:47 · 210 BPM" />
        <Row {...quietHarbour} stars={5.79} note="3:30 · 176 BPM" />
        <Row {...copperRain} stars={6.24} note="2:08 · 190 BPM" />
        <Row
          code="DT"
          index={1}
          title={texts.songNorthernLine}
          stars={6.51}
          note="2:21 · 255 BPM"
        />
      </Example>
      <p class="actions">
        <LinkButton tone="primary" label={words.newPack} href={siteHref(data, 'packs', '/new')} />
        <LinkButton label={texts.browsePacks} href={siteHref(data, 'packs', '/packs')} />
        <LinkButton tone="quiet" label={texts.openKey} href={siteHref(data, 'packs', '/k')} />
      </p>
    </Story>
  )
}

type StoryProps = {
  readonly id: string
  readonly title: string
  readonly children: ComponentChildren
}

const Story = ({ id, title, children }: StoryProps) => (
  <section class="story" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
)

type ExampleProps = {
  readonly about: string
  readonly state: string
  readonly children: ComponentChildren
}

const Example = ({ about, state, children }: ExampleProps) => (
  <figure class="story-example">
    <figcaption>
      <b>{about}</b>
      <span class="quiet-text">{state}</span>
    </figcaption>
    <ul role="list">{children}</ul>
  </figure>
)

type RowProps = {
  readonly code: 'NM' | 'HD' | 'HR' | 'DT' | 'TB'
  readonly index?: number
  readonly title: string
  readonly stars?: number
  readonly note: string
  readonly isBad?: boolean
}

const Row = ({ code, index, title, stars, note, isBad = false }: RowProps) => (
  <li>
    <span class="chip slot-chip" {...bucketColor({ code })}>
      {code}
      {index}
    </span>
    <span class={stars === undefined ? 'quiet-text' : undefined}>{title}</span>
    <span class={`story-note tabular ${isBad ? 'failure-line' : 'quiet-text'}`}>{note}</span>
    {stars === undefined ? <span /> : <StarBadge stars={stars} />}
  </li>
)
