import type { AnnouncementsReply } from '../contract/announcements.ts'
import { MAX_ANNOUNCEMENTS, MAX_TRIALS, SECONDS_PER_TRIAL } from '../contract/bounds.ts'
import { AppError } from '../contract/errors.ts'
import {
  type AskedByHand,
  type LoggedAnnouncement,
  presentAnnouncement,
  trialOf,
} from '../domain/announcements.ts'
import { isSlug } from '../domain/keys.ts'
import { presentDiscord } from '../domain/tournament-views.ts'
import type { SavedTournament } from '../domain/tournaments.ts'
import type { Ports } from '../ports/ports.ts'
import {
  admit,
  discordOff,
  getTournament,
  notFound,
  type TournamentReadPorts,
} from './tournaments.ts'

const SECOND_MS = 1_000

type LogPorts = TournamentReadPorts & Pick<Ports, 'announcements' | 'clock'>

/** The log of a tournament's channel, for hosts. @param isAllowed whether this installation sends to Discord. */
export async function listAnnouncements(
  ports: LogPorts,
  accountId: string,
  slug: string,
  isAllowed: boolean,
): Promise<AnnouncementsReply> {
  const tournament = await getTournament(ports, accountId, slug)
  admit(tournament, accountId, 'update')
  return present(ports, tournament, isAllowed)
}

/**
 * Queues a trial message. Throws as a change of the tournament, `conflict` if there is no channel or a trial is already
 * waiting, `rate_limited` if a host has sent a message by hand within the last `SECONDS_PER_TRIAL`.
 */
export async function sendTrial(
  ports: LogPorts,
  accountId: string,
  slug: string,
  isAllowed: boolean,
): Promise<AnnouncementsReply> {
  return addTo(ports, accountId, slug, isAllowed, (saved, { trial }) => {
    if (trial === null) return trialOf(saved)
    // It goes on with the channel, which this switches on.
    if (saved.discord?.off) return { again: trial }
    throw stillWaiting()
  })
}

/** Queues an announcement once more; throws as `sendTrial`. */
export async function sendAgain(
  ports: LogPorts,
  accountId: string,
  slug: string,
  id: string,
  isAllowed: boolean,
): Promise<AnnouncementsReply> {
  return addTo(ports, accountId, slug, isAllowed, (saved, { isWaiting }) => {
    if (isWaiting(id) && !saved.discord?.off) throw stillWaiting()
    return { again: id }
  })
}

const stillWaiting = (): AppError =>
  new AppError(
    'conflict:still_waiting',
    'this message is waiting already, and is sent as soon as Discord takes it',
  )

/** Throws `rate_limited` within `SECONDS_PER_TRIAL` of the last message that was sent by hand. */
function assertNotTooSoon({ at, now }: AskedByHand): void {
  const waitMs = at === null ? 0 : at + SECONDS_PER_TRIAL * SECOND_MS - now
  // A clock that was set back is no reason to wait for longer.
  if (waitMs <= 0 || waitMs > SECONDS_PER_TRIAL * SECOND_MS) return
  const message = `at most one message in ${SECONDS_PER_TRIAL} seconds can be sent by hand`
  throw new AppError('rate_limited:too_many_trials', message, Math.ceil(waitMs / SECOND_MS))
}

async function addTo(
  ports: LogPorts,
  accountId: string,
  slug: string,
  isAllowed: boolean,
  make: Parameters<LogPorts['announcements']['add']>[2],
): Promise<AnnouncementsReply> {
  const { announcements, clock, tournaments } = ports
  if (!isSlug(slug)) notFound()
  const added = await announcements.add(slug, clock.now(), (saved, asked) => {
    admit(saved, accountId, 'update')
    if (!isAllowed) throw discordOff()
    if (saved.discord === null) {
      throw new AppError(
        'conflict:no_discord',
        'the tournament has no address of Discord; set one first',
      )
    }
    const made = make(saved, asked)
    assertNotTooSoon(asked)
    return made
  })
  const tournament = await tournaments.read(slug)
  if (added === null || tournament === null) notFound()
  return present(ports, tournament, isAllowed)
}

async function present(
  { announcements }: Pick<Ports, 'announcements'>,
  { slug, discord, hiddenAt }: SavedTournament,
  isAllowed: boolean,
): Promise<AnnouncementsReply> {
  const all = await announcements.list(slug, MAX_ANNOUNCEMENTS + MAX_TRIALS)
  const logged = hiddenAt === null ? all : all.map(heldBack)
  return {
    isAllowed,
    ...presentDiscord(discord),
    discord: discord !== null,
    announcements: logged.map(presentAnnouncement),
  }
}

/** An announcement that waits until moderators show the tournament again; it was never attempted. */
const heldBack = (each: LoggedAnnouncement): LoggedAnnouncement =>
  each.state === 'waiting'
    ? { ...each, problem: 'tournament-hidden', nextAttemptAt: null, status: null, code: null }
    : each
