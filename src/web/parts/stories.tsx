import type { ComponentChildren } from 'preact'
import { linksOf, ownHref, siteHref } from '../../contract/page-data.ts'
import { pageData } from '../page-data.ts'
import { bucketColor } from '../pool/slot-parts.tsx'
import { LinkButton } from './buttons.tsx'
import { StarBadge } from './stars.tsx'
import '../style/front-page.css'

// What the site is for, shown with the parts of its pages. The beatmaps are made up, and it says so.

/** A tournament that its staff are drafting. */
export function DraftStory() {
  const data = pageData()
  if (linksOf(data, [['', 'pools', '']]).length === 0) return null
  return (
    <Story id="draft-story" title="Draft a tournament together">
      <p>
        Hosts, poolers and testers fill the rounds in one private workspace. Each round becomes a
        public pack at its time.
      </p>
      <Example about="Grand Finals, a draft" state="Private until Saturday, 18:00 UTC">
        <Row code="NM" index={1} title="Paper Lanterns" stars={6.42} said="+4 votes" />
        <Row code="HD" index={1} title="Quiet Harbour" stars={6.31} said="2 candidates" />
        <Row code="HR" index={1} title="Copper Rain" stars={7.18} said="Above the target" isBad />
        <Row code="DT" index={1} title="Custom map, due Sunday" said="Planned" />
        <Row code="TB" title="Nine Bridges" stars={7.05} said="1 remark" />
      </Example>
      <p class="actions">
        <MyTournaments />
        {data.service !== 'pools' && (
          <LinkButton label="All tournaments" href={siteHref(data, 'pools', '/')} />
        )}
        <LinkButton tone="quiet" label="How it works" href="/docs/tournaments" />
      </p>
    </Story>
  )
}

/** Leads to the list of one's own workspaces, by way of signing in where that is needed. */
export function MyTournaments() {
  const data = pageData()
  const isHere = data.service === 'pools'
  const signIn = `/sign-in?return=${encodeURIComponent('/my')}`
  const here = data.viewer === null ? signIn : '/my'
  const href = isHere ? here : ownHref(data, 'pools', '/my')
  return <LinkButton tone="primary" label="My tournaments" href={href} />
}

/** A pool that was put together. */
export function PoolStory() {
  const data = pageData()
  if (linksOf(data, [['', 'packs', '']]).length === 0) return null
  return (
    <Story id="pool-story" title="Share a pool as one link">
      <p>
        Paste a sheet: stars, lengths and BPM are calculated with the mods of each slot. Anyone can
        open it by its link, or by one line of text.
      </p>
      <Example about="Quarterfinals, a pack" state="Public">
        <Row code="NM" index={1} title="Paper Lanterns" stars={5.87} said="3:12 · 184 BPM" />
        <Row code="NM" index={2} title="Slow Tide" stars={6.02} said="2:47 · 210 BPM" />
        <Row code="HD" index={1} title="Quiet Harbour" stars={5.79} said="3:30 · 176 BPM" />
        <Row code="HR" index={1} title="Copper Rain" stars={6.24} said="2:08 · 190 BPM" />
        <Row code="DT" index={1} title="Northern Line" stars={6.51} said="2:21 · 255 BPM" />
      </Example>
      <p class="actions">
        <LinkButton tone="primary" label="New pack" href={siteHref(data, 'packs', '/new')} />
        <LinkButton label="Browse packs" href={siteHref(data, 'packs', '/packs')} />
        <LinkButton tone="quiet" label="Open a key" href={siteHref(data, 'packs', '/k')} />
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
      <span class="quiet-text">Example · {state}</span>
    </figcaption>
    <ul role="list">{children}</ul>
  </figure>
)

type RowProps = {
  readonly code: 'NM' | 'HD' | 'HR' | 'DT' | 'TB'
  readonly index?: number
  readonly title: string
  readonly stars?: number
  readonly said: string
  readonly isBad?: boolean
}

const Row = ({ code, index, title, stars, said, isBad = false }: RowProps) => (
  <li>
    <span class="chip slot-chip" {...bucketColor({ code })}>
      {code}
      {index}
    </span>
    <span class={stars === undefined ? 'quiet-text' : undefined}>{title}</span>
    <span class={`story-said tabular ${isBad ? 'failure-line' : 'quiet-text'}`}>{said}</span>
    {stars === undefined ? <span /> : <StarBadge stars={stars} />}
  </li>
)
