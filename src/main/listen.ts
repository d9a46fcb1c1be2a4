import type { FastifyInstance } from 'fastify'
import type { ServiceName } from '../contract/services.ts'
import type { Config } from './config.ts'
import { Trouble } from './trouble.ts'

const portNames: Readonly<Record<ServiceName, string>> = { packs: 'PORT', pools: 'POOLS_PORT' }

const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken; stop what uses it, or set another',
  EACCES: 'may not be used by this user; set one from 1024 on',
  EADDRNOTAVAIL: 'is not of this machine; set HOST to one of its addresses',
  ENOTFOUND: 'is not known; set HOST to one of the addresses of this machine',
}

/** Makes a service listen at its address; `Trouble` says why it cannot. */
export const listen = async (
  app: FastifyInstance,
  service: ServiceName,
  { host, ports }: Config,
): Promise<void> => {
  try {
    await app.listen({ host, port: ports[service] })
  } catch (error) {
    const remedy = remedies[(error as NodeJS.ErrnoException).code ?? '']
    if (remedy === undefined) throw error
    throw new Trouble(`${portNames[service]} ${ports[service]} on HOST ${host} ${remedy}`)
  }
}
