import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { createInterface } from 'node:readline'

/** Runs each line with the sockets, as `sd_listen_fds(3)` describes; prints its pid, then its exit code. */
const script = `
while read -r line; do
  sh -c "LISTEN_PID=\\$\\$; export LISTEN_PID; exec $line" <&- >/dev/null &
  echo "$!"
  wait "$!"
  echo "$?"
done`

/**
 * Opens listening sockets on free ports and keeps them open while processes that listen on them come and
 * go, as systemd does with a socket unit.
 */
export async function openSockets(count: number, env: Readonly<Record<string, string>>) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  const fds = servers.map(fdOf)
  // The shell never accepts: connections wait in the kernel for the next process that does.
  const shell = spawn('sh', ['-c', script], {
    env: { PATH: process.env['PATH'], LISTEN_FDS: String(count), ...env },
    stdio: ['pipe', 'pipe', 'inherit', ...fds],
  })
  for (const server of servers) server.close()
  const lines = createInterface({ input: shell.stdout! })[Symbol.asyncIterator]()
  const readNumber = async (): Promise<number> => Number((await lines.next()).value)
  let running: number | null = null

  return {
    ports,
    /** Starts a process in place of a shell that is given this line; `ended` is its exit code. */
    start: async (line: string): Promise<{ pid: number; ended: Promise<number> }> => {
      shell.stdin!.write(`${line}\n`)
      running = await readNumber()
      return { pid: running, ended: readNumber().finally(() => (running = null)) }
    },
    close: async (): Promise<void> => {
      if (running !== null) process.kill(running, 'SIGKILL')
      const gone = once(shell, 'exit')
      shell.stdin!.end()
      await gone
    },
  }
}

function fdOf(server: Server): number {
  // oxlint-disable-next-line eslint/no-underscore-dangle -- Node tells it nowhere else.
  return (server as unknown as { readonly _handle: { readonly fd: number } })._handle.fd
}
