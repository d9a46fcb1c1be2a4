import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Stands in front of a server on this machine; what comes over it can be made to hang, or to be late. */
export const startProxy = async (port: number) => {
  const sockets = new Set<Socket>()
  let hangs = false
  let late = 0
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    return socket
  }
  const forward = (from: Socket, to: Socket): void => {
    // What comes while it hangs is lost, as behind a firewall that has forgotten the connection.
    from.on('data', (bytes) => void (hangs || pass(bytes, to)))
    from.on('close', () => to.destroy())
  }
  const pass = (bytes: Buffer | string, to: Socket): void => {
    if (late === 0) to.write(bytes)
    else setTimeout(() => to.write(bytes), late)
  }
  const server = createServer((client) => {
    const target = keep(connect(port, '127.0.0.1'))
    forward(keep(client), target)
    forward(target, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    hang: (now: boolean) => void (hangs = now),
    /** @param ms that each way takes from now on. */
    delay: (ms: number) => void (late = ms),
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
