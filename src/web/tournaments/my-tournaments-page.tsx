import * as words from '#texts/common'
import * as texts from '#texts/tournaments'
import { type TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { MAX_TOURNAMENTS, NAME_LENGTH, SHORT_NAME_LENGTH } from '../../contract/bounds.ts'
import type { Ruleset } from '../../contract/mods.ts'
import type { MyTournament, MyTournaments } from '../../contract/page-data.ts'
import { useAction } from '../action.ts'
import { stepRows } from '../focus.ts'
import { formatMoment } from '../format.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton, SignInButton } from '../parts/buttons.tsx'
import { Countdown } from '../parts/countdown.tsx'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { rulesetOptions, Select, TextInput } from '../parts/inputs.tsx'
import { PersonText, shownText, VisibilityChip } from '../parts/labels.tsx'
import { FailureLine, Notice } from '../parts/notices.tsx'
import { Pager, PastTheEnd } from '../parts/pager.tsx'
import { Time } from '../parts/times.tsx'
import { takeTyped } from '../parts/typed-text.ts'
import { leaveTo } from '../browser.ts'
import { poolsCall } from '../pools-api.ts'
import { roleWords } from '../tournament-staff/roles.ts'
import '../style/my-packs.css'
import '../style/tournaments.css'

export const MyTournamentsPage = () => (
  <main id="main">
    {pageData().viewer === null ? (
      <>
        <h1>{texts.mine}</h1>
        <Notice title={texts.signInToSee} actions={<SignInButton />}>
          {texts.signInMeans}
        </Notice>
      </>
    ) : (
      <SignedIn />
    )}
  </main>
)

function SignedIn() {
  const { myTournaments: page } = pageData()
  const [{ isAsked, from }] = useState(() => {
    const query = new URLSearchParams(location.search)
    // Asked for once: a reader who comes back to this address wants the list.
    if (query.has('new')) history.replaceState(history.state, '', location.pathname)
    return { isAsked: query.has('new'), from: query.get('from') ?? '' }
  })
  const [isNew, setNew] = useState(isAsked)
  return (
    <>
      <header class="my-packs-head my-tournaments-head">
        <h1>{texts.mine}</h1>
        <Button
          tone="primary"
          icon="plus"
          label={texts.newTournament}
          onClick={() => setNew(true)}
        />
      </header>
      {page && <MyList page={page} onNew={() => setNew(true)} />}
      <NewTournament from={from} isOpen={isNew} onClose={() => setNew(false)} />
    </>
  )
}

/** Of an address that somebody pastes. */
const COPIED_LENGTH = 512

type MyListProps = { readonly page: MyTournaments; readonly onNew: () => void }

function MyList({ page, onNew }: MyListProps) {
  if (page.tournaments.length > 0) {
    return (
      <>
        <ul class="tournament-list" role="list" onKeyDown={stepRows('a')}>
          {page.tournaments.map((tournament) => (
            <MyRow key={tournament.slug} tournament={tournament} />
          ))}
        </ul>
        <Pager page={page.page} pageCount={page.pageCount} />
      </>
    )
  }
  if (page.total > 0) {
    const { pageCount } = page
    return (
      <PastTheEnd title={texts.pastTheEnd} text={texts.pastTheEndMeans} pageCount={pageCount} />
    )
  }
  return (
    <Notice
      title={texts.noneOfYours}
      actions={<Button tone="primary" label={texts.newTournament} onClick={onNew} />}
    >
      {texts.noneOfYoursMeans}
    </Notice>
  )
}

function MyRow({ tournament }: { tournament: MyTournament }) {
  const { slug, name, shortName, role, visibility, hiddenAt, updatedAt } = tournament
  const { next, rounds, released } = tournament
  return (
    <li class="tournament-row my-tournament">
      <span class="tournament-name">
        <a href={`/t/${slug}/edit`} dir="auto">
          {shownText(name)}
        </a>
      </span>
      <span class="tournament-facts">
        {role && <b>{roleWords[role][0]}</b>}
        <VisibilityChip visibility={visibility} isHidden={hiddenAt !== undefined} />
        {hiddenAt !== undefined && <span class="failure-line">{words.hiddenByModerator}</span>}
        {shortName !== undefined && <PersonText text={shortName} />}
        <span>
          {rounds === 0 ? texts.noRoundsYet : texts.roundsReleased({ n: rounds, released })}
        </span>
      </span>
      <span class="tournament-about">
        {next && (
          <>
            <PersonText within="b" text={next.name} /> <Countdown at={next.releaseAt} />{' '}
            <span class="quiet-text">
              <Time at={next.releaseAt} as="zones" class="tabular" />
            </span>
          </>
        )}
      </span>
      <Time
        at={updatedAt}
        as="short"
        class="tournament-updated"
        before={`${texts.updatedBefore} `}
        title={formatMoment(updatedAt)}
      />
      <span class="my-tournament-page">
        <LinkButton
          tone="quiet"
          icon="external"
          aria-label={texts.publicPageOf({ name: shownText(name) })}
          href={`/t/${slug}`}
        />
      </span>
    </li>
  )
}

type NewTournamentProps = {
  /** The slug of the tournament to copy the rounds of at first; empty for none. */
  readonly from: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** The slug in the address of a tournament's page, or alone; null of another text. */
const slugIn = (text: string): string | null =>
  /(?:^|\/t\/)([\w-]{10})(?:[./?#]|$)/.exec(text.trim())?.[1] ?? null

/** Asks for what a tournament cannot do without; the rest is set in its workspace. */
function NewTournament({ from, isOpen, onClose }: NewTournamentProps) {
  const { isBusy, error, run } = useAction()
  const [name, setName] = useState('')
  const [shortName, setShortName] = useState('')
  const [ruleset, setRuleset] = useState<Ruleset>('base')
  const [origin, setOrigin] = useState(from)
  const isCopy = origin.trim() !== ''
  const copied = slugIn(origin)
  const isReady = name.trim() !== '' && (!isCopy || copied !== null)
  const create = (event?: TargetedEvent): void => {
    event?.preventDefault()
    if (!isReady) return
    run(async () => {
      const short = shortName.trim()
      // The ruleset is that of the rounds.
      const rest = copied === null ? { ruleset } : { from: copied }
      const body = { name, ...rest, ...(short !== '' && { shortName: short }) }
      const { tournament } = await poolsCall('createTournament', { body })
      takeTyped()
      return leaveTo(`/t/${tournament.slug}/edit`)
    })
  }
  return (
    <ConfirmDialog
      title={texts.newTournament}
      isOpen={isOpen}
      isKept
      action={texts.createAndOpen}
      tone="primary"
      busy={isBusy}
      disabled={!isReady}
      onConfirm={create}
      onCancel={onClose}
    >
      <p>{texts.privateUntilPublic({ n: MAX_TOURNAMENTS })}</p>
      <form onSubmit={create}>
        <label class="dialog-field">
          <span>{texts.name}</span>
          <TextInput
            value={name}
            autofocus
            required
            maxLength={NAME_LENGTH}
            placeholder={texts.nameExample}
            onText={setName}
          />
        </label>
        <label class="dialog-field">
          <span>{texts.shortName}</span>
          <TextInput
            value={shortName}
            maxLength={SHORT_NAME_LENGTH}
            placeholder={texts.shortNameExample}
            onText={setShortName}
          />
        </label>
        <label class="dialog-field">
          <span>{texts.copyRoundsFrom}</span>
          <TextInput
            value={origin}
            maxLength={COPIED_LENGTH}
            placeholder={`${location.origin}/t/dG91cm5hbW`}
            onText={setOrigin}
          />
        </label>
        {isCopy ? (
          <p class="quiet-text" role="status">
            {copied === null ? texts.pasteAddress : texts.whatIsCopied}
          </p>
        ) : (
          <label class="dialog-field">
            <span>{texts.ruleset}</span>
            <Select value={ruleset} options={rulesetOptions} onPick={setRuleset} />
          </label>
        )}
        <button type="submit" hidden disabled={!isReady} />
      </form>
      <FailureLine error={error}>{texts.notCreated}</FailureLine>
    </ConfirmDialog>
  )
}
