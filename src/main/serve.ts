import { loadConfig } from './config.ts'
import { setUpDemonstration } from './demonstration.ts'
import { greeting } from './greeting.ts'
import { openLogStream } from './log-stream.ts'
import { startServer } from './server.ts'
import { describeTrouble } from './trouble.ts'
import { watchProcess } from './watch-process.ts'
import { openPorts } from './wire.ts'

/**
 * Runs both services until a signal ends the process. What people read goes to stdout, log lines
 * (JSON) go to stderr.
 */
export const serve = async (): Promise<void> => {
  const config = loadConfig()
  const ports = await openPorts(config, 'make')
  const close = () => ports.care.close()
  try {
    const server = await startServer(config, ports, {
      level: config.logLevel,
      stream: openLogStream(),
    })
    watchProcess({ log: server.log, stop: server.stop, close })
    const key = await setUpDemonstration(ports, config)
    process.stdout.write(greeting(config, server, key))
  } catch (error) {
    await close()
    throw error
  }
}

if (import.meta.main) {
  try {
    await serve()
  } catch (error) {
    process.stderr.write(`mapcrate-server: ${describeTrouble(error)}\n`)
    process.exit(1)
  }
}
