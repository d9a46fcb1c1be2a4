import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, copyFile, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../../src/main/config.ts'
import { variables } from '../../src/main/variables.ts'
import { freshFolder } from '../support/processes.ts'

const read = (path: string): Promise<string> =>
  readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

const compose = await read('compose.yaml')
const example = await read('deploy/example.env')
const guide = await read('docs/deploy.md')
const unit = await read('deploy/mapcrate.service')
const image = await read('Dockerfile')

type Service = {
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly command?: readonly string[]
  readonly stop_grace_period?: string
}
const { services, secrets } = parse(compose, { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

const asked = new Map([
  ['SITE_HOST', 'packs.example.org'],
  ['POOLS_HOST', 'pools.example.org'],
  ['SITE_NAME', 'Nordlicht Cups'],
  ['SITE_ACCENT', '#7a1fa2'],
  ['SITE_CONTACT', ''],
  ['PLATFORM_CLIENT_ID', '7'],
])
const fill = (text: string): string =>
  text.replaceAll(/\$\{(\w+)(?::[?-][^}]*)?\}/g, (_, name: string) => asked.get(name) ?? '')

test('compose.yaml asks for what deploy/example.env lists, and for nothing else', () => {
  const names = [...compose.matchAll(/\$\{(\w+)/g)].map(([, name]) => name)
  const listed = [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name)
  expect(new Set(names)).toEqual(new Set(listed))
  expect(new Set(names)).toEqual(new Set(asked.keys()))
})

test('what compose.yaml tells the server is a configuration that it takes', async () => {
  const folder = await freshFolder()
  await writeFile(join(folder, 'database_url'), 'postgres://mapcrate:c0ffee@database/mapcrate')
  await writeFile(join(folder, 'platform_client_secret'), 'hush\n')
  const configOf = (service: Service | undefined) =>
    loadConfig(
      Object.fromEntries(
        Object.entries(service?.environment ?? {}).map(([name, value]) => [
          name,
          fill(value).replace('/run/secrets', folder),
        ]),
      ),
    )
  const config = configOf(services['mapcrate'])
  expect(config.publicUrls).toEqual({
    packs: 'https://packs.example.org',
    pools: 'https://pools.example.org',
    site: 'https://packs.example.org',
  })
  expect(config.databaseUrl).toBe('postgres://mapcrate:c0ffee@database/mapcrate')
  expect(config.platform).toMatchObject({ clientId: '7', clientSecret: 'hush' })
  expect(configOf(services['backup']).databaseUrl).toBe(config.databaseUrl)
})

test.each([
  ['compose.yaml', Number.parseInt(services['mapcrate']?.stop_grace_period ?? '', 10)],
  ['deploy/mapcrate.service', Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])],
])('D-54: %s waits for the server to drain and to finish requests', (_, seconds) => {
  expect(seconds).toBeGreaterThan(loadConfig({}).drainSeconds + 10)
})

test('mapcrate.socket opens the ports that the server has if nothing else is set, in their order', async () => {
  const { host, ports } = loadConfig({})
  const socket = await read('deploy/mapcrate.socket')
  const addresses = [...socket.matchAll(/^ListenStream=(.*)$/gm)].map(([, address]) => address)
  expect(addresses).toEqual([ports.packs, ports.pools].map((port) => `${host}:${port}`))
})

test('backups are made once a day, where the container and the unit may write, and 14 are kept', async () => {
  const backup = await read('deploy/mapcrate-backup.service')
  expect(await read('deploy/mapcrate-backup.timer')).toMatch(/^OnCalendar=\*-\*-\* \d\d:\d\d$/m)
  const [, folder = ''] = /^ExecStart=\S+ backup --keep 14 \/var\/lib\/(\S+)$/m.exec(backup) ?? []
  expect(/^StateDirectory=(.*)$/m.exec(backup)?.[1]?.split(' ')).toContain(folder)
  for (const line of ['User=mapcrate', 'EnvironmentFile=/etc/mapcrate.env']) {
    expect(unit).toContain(line)
    expect(backup).toContain(line)
  }
  expect(services['backup']?.command?.at(-1)).toContain('mapcrate-server backup --keep 14 /backups')
  expect(image).toMatch(/mkdir \/data \/backups && chown node:node \/data \/backups/)
})

test.each([
  ['docs/deploy.md', guide],
  ['deploy/mapcrate.service', unit],
  ['Dockerfile', image],
])('%s names settings that there are', (_, text) => {
  const lines = [...text.matchAll(/^(?:Environment=|ENV )?((?:[A-Z_]{4,}=\S+ ?)+)$/gm)]
  const names = lines.flatMap(([, line = '']) => line.split(' ').map((pair) => pair.split('=')[0]))
  const others = new Set(['NODE_ENV', 'NODE_OPTIONS', 'PATH', ''])
  for (const name of names) {
    if (!others.has(name ?? '')) expect(Object.keys(variables)).toContain(name)
  }
})

test('every container has limits, a file system that it cannot write, and no rights but those it starts with', () => {
  expect(Object.keys(services)).toEqual(['caddy', 'mapcrate', 'backup', 'database'])
  for (const [name, service] of Object.entries(services)) {
    expect(service, name).toMatchObject({
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      pids_limit: expect.any(Number),
      cpus: expect.any(Number),
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
  }
  for (const name of ['mapcrate', 'backup']) expect(services[name]).not.toHaveProperty('cap_add')
})

test('secrets come as files, and each container has its own alone', () => {
  for (const [name, { environment = {}, secrets: own = [] }] of Object.entries(services)) {
    for (const [variable, value] of Object.entries(environment)) {
      expect(value, `${name} ${variable}`).not.toMatch(/:\/\/[^/]*@/)
      const isSecret = /PASSWORD|SECRET|DATABASE_URL/.test(variable)
      if (isSecret) expect(variable, name).toMatch(/_FILE$/)
    }
    const named = Object.values(environment).flatMap((value) =>
      Array.from(value.matchAll(/^\/run\/secrets\/(\w+)$/g), ([, secret]) => secret),
    )
    expect(new Set(named), name).toEqual(new Set(own))
  }
  for (const [name, { file }] of Object.entries(secrets)) {
    expect(file).toBe(`./secrets/${name}`)
    expect(guide).toContain(`> secrets/${name}`)
  }
})

test.each(['mapcrate.service', 'mapcrate-backup.service'])(
  'deploy/%s may do what a server needs, and no more',
  async (name) => {
    const lines = (await read(`deploy/${name}`)).split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'SystemCallFilter=@system-service',
        'SystemCallFilter=~@privileged @resources',
        'CapabilityBoundingSet=',
        'UMask=0077',
        ...['Clock', 'Hostname', 'KernelLogs', 'KernelModules', 'KernelTunables'].map(
          (what) => `Protect${what}=yes`,
        ),
        'ProtectProc=invisible',
        'ProtectSystem=strict',
        'NoNewPrivileges=yes',
        'RestrictNamespaces=yes',
        expect.stringMatching(/^MemoryMax=\d+G$/),
        expect.stringMatching(/^TasksMax=\d+$/),
      ]),
    )
  },
)

const root = fileURLToPath(new URL('../..', import.meta.url))

test('every file that the guide, the unit and its command name is there', async () => {
  const wrapper = await read('deploy/mapcrate-server')
  const named = [guide, unit, wrapper].flatMap((text) => [
    ...text.matchAll(/(?<![\w/])(?:\.\/)?((?:deploy|scripts|src)\/[\w./-]+\w)/g),
  ])
  const paths = new Set(named.map(([, path = '']) => path))
  for (const [, names = ''] of guide.matchAll(/^sudo install -m \d+ ((?:mapcrate[\w.-]* )+)\//gm)) {
    for (const name of names.trim().split(' ')) paths.add(`deploy/${name}`)
  }
  expect(paths.size).toBeGreaterThan(9)
  for (const path of paths) expect(existsSync(join(root, path)), path).toBe(true)
  // A folder for each version, with the locked packages, and the runtime beside them.
  const home = '/opt/mapcrate'
  expect(guide).toContain(`npm install --global --prefix ${home} node@26\n`)
  expect(guide).toContain(`sudo ln -sfn 0.1.0 ${home}/current\n`)
  expect(wrapper).toContain(`MAPCRATE_HOME:-${home}}`)
  expect(wrapper).toContain(' current/bin/mapcrate-server.js "$@"\n')
  expect(unit).toContain(`ExecStart=${home}/current/bin/mapcrate-server.js serve\n`)
  expect(unit).toContain(`Environment=PATH=${home}/bin:`)
  const { bin } = JSON.parse(await read('package.json')) as { bin: Record<string, string> }
  expect(bin['mapcrate-server']).toBe('./bin/mapcrate-server.js')
  expect((await stat(join(root, 'deploy/mapcrate-server'))).mode & 0o111).toBe(0o111)
  // One name for the user, in the unit, the file that makes it, and the command.
  expect(unit).toMatch(/^User=mapcrate$/m)
  expect(await read('deploy/mapcrate.sysusers')).toMatch(/^u mapcrate /m)
  expect(wrapper).toContain('MAPCRATE_USER:-mapcrate}')
  expect(guide).not.toMatch(/DATA_DIR=\S+ .*mapcrate-server|systemd-run/)
})

/** Somebody with few rights who can read the project, for the service's user; null where that cannot be had. */
const userForTrial = (): { uid: number; gid: number } | null => {
  if (process.getuid?.() !== 0) return null
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  const as = ['--reuid=nobody', `--regid=${idOf('-g')}`, '--init-groups']
  const { status } = spawnSync('setpriv', [...as, 'test', '-r', join(root, 'package.json')])
  return status === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : null
}
const trialUser = userForTrial()

test.skipIf(trialUser === null)(
  'the operator’s command works with the rights of the service (needs root and setpriv)',
  async () => {
    const { uid = 0, gid = 0 } = trialUser ?? {}
    const folder = await freshFolder()
    await chmod(folder, 0o755)
    const [data, config, command] = ['state', 'mapcrate.env', 'mapcrate-server'].map((name) =>
      join(folder, name),
    ) as [string, string, string]
    // As the guide lays it out.
    await mkdir(join(folder, 'home/bin'), { recursive: true })
    await symlink(root, join(folder, 'home/current'))
    await symlink(process.execPath, join(folder, 'home/bin/node'))
    await mkdir(data, { mode: 0o700 })
    await chown(data, uid, gid)
    await writeFile(config, 'POOLS_OWNER_NAME="Cups & more"\nLOG_LEVEL=warn\n', { mode: 0o600 })
    await copyFile(join(root, 'deploy/mapcrate-server'), command)
    await chmod(command, 0o755)
    const run = (words: readonly string[], env = {}, as: { uid?: number } = {}) =>
      spawnSync(command, words, {
        encoding: 'buffer',
        ...as,
        env: {
          PATH: process.env['PATH'],
          MAPCRATE_HOME: join(folder, 'home'),
          MAPCRATE_CONFIG: config,
          MAPCRATE_USER: 'nobody',
          DATA_DIR: data,
          ...env,
        },
      })
    const makeKey = ['key', '--service', 'packs', '--game-id', '1', '--username', 'Ada']

    // Before the group may read the configuration, the command says what to do.
    const refused = run(makeKey)
    expect(refused.status).toBe(1)
    expect(refused.stderr.toString()).toMatch(/cannot read .*mapcrate\.env: chgrp .* chmod 640/)
    await chown(config, 0, gid)
    await chmod(config, 0o640)

    const key = run(makeKey)
    expect(key.stderr.toString()).toBe('')
    expect(key.stdout.toString()).toMatch(/^packs_[\w-]{43}\n$/)
    // The service's user owns what was made, and nobody else can read it.
    const made = await stat(join(data, 'mapcrate.db'))
    expect([made.uid, made.mode & 0o077]).toEqual([uid, 0])
    const copy = run(['backup', '-'])
    expect(copy.status).toBe(0)
    expect(copy.stdout.subarray(0, 15).toString()).toBe('SQLite format 3')
    expect(run(['help', 'me']).status).toBe(2)
    // Who is neither root nor the service's user is told to use sudo.
    const other = run(makeKey, {}, { uid: uid - 1 })
    expect(other.stderr.toString()).toBe('mapcrate-server: run this with sudo\n')
  },
)
