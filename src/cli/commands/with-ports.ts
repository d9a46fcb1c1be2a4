import { type Config, type Environment, loadConfig } from '../../main/config.ts'
import type { Ports } from '../../main/wire.ts'

/** Opens the configured store, which a server may be using, and closes it after `use`. */
export async function withPorts<T>(
  env: Environment,
  missing: 'make' | 'refuse',
  use: (ports: Ports, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig(env)
  // Help and usage errors do not load the database's drivers.
  const { openPorts } = await import('../../main/wire.ts')
  const ports = await openPorts(config, missing, 'none')
  try {
    return await use(ports, config)
  } finally {
    await ports.care.close()
  }
}
