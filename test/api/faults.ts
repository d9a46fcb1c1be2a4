import type { DoorPorts } from '../../src/door/context.ts'

const CAUSE = 'disk I/O error: /var/lib/mapcrate/mapcrate.db'

type FaultyPort =
  | 'packs'
  | 'accounts'
  | 'quotas'
  | 'changes'
  | 'tournamentChanges'
  | 'tournaments'
  | 'discussion'
  | 'usage'

/** A switch between the services and their ports: the port that is off fails as a bad disk would. */
export const createFaults = () => {
  let off: FaultyPort | null = null
  let error: Error

  const guard = <T extends object>(name: FaultyPort, port: T): T =>
    new Proxy(port, {
      get: (target, method) =>
        name === off ? () => Promise.reject(error) : Reflect.get(target, method),
    })

  return {
    withPorts: (ports: DoorPorts): DoorPorts => ({
      ...ports,
      packs: guard('packs', ports.packs),
      accounts: guard('accounts', ports.accounts),
      quotas: guard('quotas', ports.quotas),
      changes: guard('changes', ports.changes),
      tournamentChanges: guard('tournamentChanges', ports.tournamentChanges),
      tournaments: guard('tournaments', ports.tournaments),
      discussion: guard('discussion', ports.discussion),
      usage: guard('usage', ports.usage),
    }),
    /** What `work` gives while this port fails. */
    during: async <T>(
      port: FaultyPort,
      work: () => Promise<T>,
      cause = new Error(CAUSE),
    ): Promise<T> => {
      off = port
      error = cause
      try {
        return await work()
      } finally {
        off = null
      }
    },
  }
}

export type Faults = ReturnType<typeof createFaults>
