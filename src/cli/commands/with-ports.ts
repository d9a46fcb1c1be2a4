import { type Config, loadConfig } from '../../main/config.ts'
import type { Ports } from '../../main/wire.ts'

/**
 * Does something with the store that `DATABASE_URL` or `DATA_DIR` names, beside a server that may be using it, and
 * closes it again.
 */
export const withPorts = async <T>(
  missing: 'make' | 'refuse',
  use: (ports: Ports, config: Config) => Promise<T>,
): Promise<T> => {
  const config = loadConfig()
  // Help and misuse are told without the database's drivers in memory.
  const { openPorts } = await import('../../main/wire.ts')
  const ports = await openPorts(config, missing, 'none')
  try {
    return await use(ports, config)
  } finally {
    await ports.care.close()
  }
}
