import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What is done to the answer: the connection breaks in its place, or it never comes. */
export type Fault = 'cut' | 'silence'

/** `ReadyForQuery`, and its length. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5])

/** The way to a database, on which answers can be lost; it ends with the test. */
export const startWire = async (url: string) => {
  const { hostname, port } = new URL(url)
  const open = new Map<Socket, { isSilent: boolean }>()
  let planned: { readonly statement: string; readonly fault: Fault } | null = null
  let met = 0
  let answers = 0

  const server = createServer((client) => {
    const database = connect(Number(port), hostname)
    const state = { isSilent: false }
    let isToBeCut = false
    open.set(client, state)
    client.on('data', (bytes) => {
      if (planned !== null && bytes.includes(planned.statement)) {
        isToBeCut = planned.fault === 'cut'
        state.isSilent = planned.fault === 'silence'
        planned = null
        met += 1
      }
      database.write(bytes)
    })
    database.on('data', (bytes: Buffer) => {
      for (let at = bytes.indexOf(READY); at >= 0; at = bytes.indexOf(READY, at + 1)) answers += 1
      if (isToBeCut) client.destroy()
      else if (!state.isSilent) client.write(bytes)
    })
    const end = () => {
      open.delete(client)
      client.destroy()
      database.destroy()
    }
    for (const socket of [client, database]) socket.on('close', end).on('error', end)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const client of open.keys()) client.destroy()
    server.close()
  })
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String((server.address() as AddressInfo).port)

  return {
    url: through.href,
    /** The database gets the next such statement, and does it; its answer meets with this. */
    loseAnswerTo: (statement: string, fault: Fault) => {
      planned = { statement, fault }
    },
    /** How many answers were lost so. */
    lost: () => met,
    /** How often the database has said that it waits for the next query: so many round trips there were. */
    roundTrips: () => answers,
    /** Nothing comes back any more over the connections that there are. */
    fallSilent: () => {
      for (const state of open.values()) state.isSilent = true
    },
  }
}
