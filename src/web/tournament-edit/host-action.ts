import * as texts from '#texts/tournament-settings'
import { useAction } from '../action.ts'
import { orGone } from '../lost-answers.ts'
import { shownText } from '../parts/labels.tsx'
import { leaveFor } from '../parts/toasts.tsx'
import { takeTyped } from '../parts/typed-text.ts'
import { poolsCall } from '../pools-api.ts'
import { CallFailure } from '../site-failure.ts'
import type { Workspace } from './model.ts'

/**
 * What a press in the settings starts, as `useAction` has it. Leaves for the list where the tournament is gone, or its
 * reader is no longer on the staff: nothing in the settings can be done then.
 */
export function useHostAction({ slug, tournament: { name } }: Workspace) {
  const { isBusy, error, run } = useAction()
  const act = (work: () => Promise<unknown>): void =>
    run(async () => {
      try {
        await work()
      } catch (failure) {
        if (!(failure instanceof CallFailure && failure.status === 404)) throw failure
        if ((await orGone(poolsCall('getWorkspace', { slug }))) !== null) throw failure
        takeTyped()
        await leaveFor('/my', texts.accessLost({ name: shownText(name) }))
      }
    })
  return { isBusy, error, act }
}
