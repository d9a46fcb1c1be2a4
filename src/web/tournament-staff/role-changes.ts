import * as texts from '#texts/staff'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RoleInput, StaffMember } from '../../contract/staff.ts'
import type { StaffRole, Tournament } from '../../contract/tournaments.ts'
import { useAction } from '../action.ts'
import { announce } from '../parts/toasts.tsx'
import { poolsCall } from '../pools-api.ts'
import { CallFailure } from '../site-failure.ts'
import type { Staff } from './joining.tsx'
import { roleInput } from './limits.tsx'
import { orLeave } from './roles.ts'

/** Gives roles in the order in which they are chosen, of one member also several: keys choose each on the way. */
export function useRoles({ tournament, members }: Staff, onChange: () => void) {
  const { slug } = tournament
  const { error, run } = useQueue(tournament, onChange)
  /** What was chosen, until the page is read again. */
  const [chosen, setChosen] = useState<ReadonlyMap<number, StaffRole>>(new Map())
  /** The members as they are known, with what was changed here since they were read. */
  const known = useMemo(() => new Map(members.map((each) => [each.gameId, each])), [members])
  useEffect(() => setChosen(new Map()), [members])
  const setRole = ({ gameId, username }: StaffMember, role: StaffRole): void => {
    setChosen((before) => new Map([...before, [gameId, role]]))
    run(async () => {
      const shown = known.get(gameId)!
      // A host works on all rounds (D-81).
      const limit = role === 'host' ? null : (shown.rounds ?? null)
      known.set(gameId, await changeMember(slug, shown, roleInput(role, limit)))
      announce(texts.becameRole({ name: username, role }))
    })
  }
  const roleOf = ({ gameId, role }: StaffMember): StaffRole => chosen.get(gameId) ?? role
  return { error, setRole, roleOf }
}

/** Runs what presses start, one after the other, and calls `onEnd` after the last; after a failure, none that wait. */
function useQueue(tournament: Tournament, onEnd: () => void) {
  const { run, error } = useAction(orLeave(tournament))
  const waiting = useRef<(() => Promise<void>)[]>([])
  const enqueue = (work: () => Promise<void>): void => {
    waiting.current.push(work)
    run(async () => {
      try {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        while (waiting.current.length > 0) await waiting.current.shift()!()
      } finally {
        waiting.current = []
        onEnd()
      }
    })
  }
  return { error, run: enqueue }
}

/** Changes a member as the page shows them: another host may have removed or limited them since. */
export async function changeMember(
  slug: string,
  shown: StaffMember,
  body: RoleInput,
): Promise<StaffMember> {
  const { gameId } = shown
  const { staff } = await poolsCall('listStaff', { slug })
  const now = staff.find((each) => each.gameId === gameId)
  if (now === undefined || !isSameWork(now, shown)) {
    throw new CallFailure('precondition_failed', texts.memberChanged, { status: 412 })
  }
  return (await poolsCall('setRole', { slug, gameId, body, ifMatch: '*' })).member
}

const isSameWork = (a: StaffMember, b: StaffMember): boolean =>
  a.role === b.role && a.rounds?.join() === b.rounds?.join()
