import type { ServiceName } from '../../src/contract/services.ts'
import type { DoorPorts } from '../../src/door/context.ts'
import type { Host, House } from '../support/house.ts'

const spend = async (
  { ports, clock }: House,
  host: Host,
  service: ServiceName,
  times: number,
  isWrite: boolean,
): Promise<void> => {
  const hash = ports.hasher.sha256(host.key)
  for (let time = 0; time < times; time += 1) {
    await ports.quotas.admit(service, hash, isWrite, clock.now())
  }
}

/** Takes so many reads from the host's minute, without sending them. */
export const spendReads = (house: House, host: Host, times: number) =>
  spend(house, host, 'packs', times, false)

/** Leaves the host no request in this minute. */
export const spendRequests = (house: House, host: Host, service: ServiceName = 'packs') =>
  spend(house, host, service, 60, false)

/** Leaves the host no write in this minute, and fifty requests. */
export const spendWrites = (house: House, host: Host, service: ServiceName = 'packs') =>
  spend(house, host, service, 10, true)

/** Every request comes in a minute of its own: for what takes more than a quota's worth at once. */
export const withoutQuotas = (ports: DoorPorts): DoorPorts => {
  let minute = 2 ** 36
  const quotas: DoorPorts['quotas'] = {
    ...ports.quotas,
    admit: (service, hash, isWrite) =>
      ports.quotas.admit(service, hash, isWrite, 60_000 * minute++),
  }
  return { ...ports, quotas }
}
