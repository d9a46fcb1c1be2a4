import { type AddressInfo, isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { StartupError } from './startup-error.ts'
import type { VariableName } from './variables.ts'

const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken; stop what uses it, or set another',
  EACCES: 'may not be used by this user; set one from 1024 on',
  EADDRNOTAVAIL: 'is not of this machine; set HOST to one of its addresses',
  ENOTFOUND: 'is not known; set HOST to one of the addresses of this machine',
}

type ListenAddress = {
  readonly name: VariableName
  readonly host: string
  readonly port: number
  /** A listening socket that this process has inherited, in address of one of its own. */
  readonly fd?: number | undefined
}

/** Listens on the port that the variable `name` sets. Throws `StartupError` when that is impossible. */
export async function listen(app: FastifyInstance, address: ListenAddress): Promise<void> {
  const { name, host, port, fd } = address
  if (fd !== undefined) return listenOn(fd, app, address)
  try {
    await app.listen({ host, port })
  } catch (error) {
    const remedy = remedies[(error as NodeJS.ErrnoException).code ?? '']
    if (remedy === undefined) throw error
    throw new StartupError(`${name} ${port} on HOST ${host} ${remedy}`)
  }
}

async function listenOn(
  fd: number,
  app: FastifyInstance,
  { name, port }: ListenAddress,
): Promise<void> {
  // Where the host were `localhost`, Fastify would listen on its other addresses, too.
  const socket = { fd, host: '127.0.0.1' }
  await app.listen(socket)
  const inherited = portOf(app)
  if (port === 0 || port === inherited) return
  throw new StartupError(
    `${name} is ${port}, but the socket that was opened for it has port ${inherited}; set both the ` +
      'same, and list the socket of PORT before that of POOLS_PORT',
  )
}

/** The port that a listening server has; null before it listens. */
export const portOf = ({ server }: FastifyInstance): number | null =>
  (server.address() as AddressInfo | null)?.port ?? null

/** `tls` is null for plain HTTP. */
type Listening = { readonly host: string; readonly tls: object | null }

/** The address at which this machine reaches one of its own ports. */
export function localUrl({ host, tls }: Listening, port: number): string {
  const scheme = tls === null ? 'http' : 'https'
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `${scheme}://${isIPv6(name) ? `[${name}]` : name}:${port}`
}
