import { Failure } from '../../contract/errors.ts'
import type { Pack, Visibility } from '../../contract/packs.ts'
import { completePool } from '../../pool/checks.ts'
import type { Pool } from '../../pool/pool.ts'
import type { CommandOption } from '../command.ts'
import type { FilePool } from './pool-file.ts'
import { Trouble } from './trouble.ts'
import type { Call } from './user-command.ts'

const visibilities: readonly Visibility[] = ['private', 'unlisted', 'public']

export const nameOption: CommandOption = {
  name: 'name',
  takes: 'NAME',
  about: "what the pack is called; left out, what the file says, or the file's own name",
}
export const visibilityOption: CommandOption = {
  name: 'visibility',
  takes: 'WHO',
  choices: visibilities,
  about: 'private, unlisted or public; left out, what the file says, or unlisted',
}
export const roundOption: CommandOption = {
  name: 'round',
  takes: 'NAME',
  about: 'which round or collection of the file, where it holds several',
}

/** A whole pack, as it is sent. */
export type PackToSave = Pool & {
  readonly visibility: Visibility
  readonly description?: string
}

/** What the options of a call say of the pack. */
export type Wishes = {
  readonly name: string | undefined
  readonly visibility: Visibility | undefined
}

export const wishesOf = (call: Call): Wishes => ({
  name: call.value('name'),
  visibility: visibilities.find((each) => each === call.value('visibility')),
})

/**
 * What is to be saved: what the options say goes before what the file says, and that before what the
 * pack says that it replaces. A pool that cannot be is refused here, before anything is sent.
 */
export const packInput = (pool: FilePool, wishes: Wishes, before?: Pack): PackToSave => {
  const name = wishes.name ?? (pool.isNamed ? undefined : before?.name) ?? pool.draft.name
  const description = pool.description ?? before?.description ?? ''
  return {
    ...completePool({ ...pool.draft, name }),
    visibility: wishes.visibility ?? pool.visibility ?? before?.visibility ?? 'unlisted',
    ...(description !== '' && { description }),
  }
}

/** The one pool that is meant. */
export const choosePool = (pools: readonly FilePool[], round: string | undefined): FilePool => {
  const names = pools.map(({ draft }) => draft.name)
  const meant = round === undefined ? pools : pools.filter(({ draft }) => draft.name === round)
  const [pool, more] = meant
  if (pool === undefined)
    throw new Trouble(`there is no round "${round}"; there are: ${names.join(', ')}`)
  if (more === undefined) return pool
  throw new Trouble(
    round === undefined
      ? `it holds ${pools.length} pools (${names.join(', ')}); say which one by --round`
      : `it holds several rounds named "${round}"; rename one of them`,
  )
}

/** For what must be whole: a slot that was refused would silently be missing. */
export const insistOnAll = ({ refused }: FilePool): void => {
  if (refused.length > 0)
    throw new Failure('bad_request', `nothing was saved: ${refused.join('\n')}`)
}
