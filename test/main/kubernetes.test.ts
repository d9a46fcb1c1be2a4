import { readdir, readFile, writeFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig, roles } from '../../src/main/config.ts'
import { type Variable, variables } from '../../src/main/variables.ts'
import { freshFolder } from '../support/processes.ts'

const folder = new URL('../../deploy/kubernetes/', import.meta.url)
const read = (name: string) => readFile(new URL(name, folder), 'utf8')

type Port = { readonly name: string; readonly containerPort: number }
type Probe = { readonly httpGet: { readonly path: string; readonly port: string } }
type Mount = { readonly name: string; readonly mountPath: string }
type Container = {
  readonly image: string
  readonly args: readonly string[]
  readonly ports?: readonly Port[]
  readonly startupProbe?: Probe
  readonly readinessProbe?: Probe
  readonly livenessProbe?: Probe
  readonly securityContext: unknown
  readonly resources: { readonly requests: object; readonly limits: { readonly memory: string } }
  readonly volumeMounts: readonly Mount[]
}
type PodSpec = {
  readonly enableServiceLinks: boolean
  readonly automountServiceAccountToken: boolean
  readonly terminationGracePeriodSeconds: number
  readonly securityContext: object
  readonly containers: readonly [Container]
  readonly volumes: readonly ({ readonly name: string } & Readonly<Record<string, unknown>>)[]
}
type Pod = { readonly metadata: { readonly labels: object }; readonly spec: PodSpec }
// What each kind has in `spec` is looked at by the tests that know it.
type Manifest = {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: Readonly<Record<string, unknown>> & { readonly template: Pod }
}

const { resources, configMapGenerator, images } = parse(await read('kustomization.yaml')) as {
  resources: readonly string[]
  configMapGenerator: readonly [{ readonly name: string; readonly envs: readonly string[] }]
  images: readonly [{ readonly name: string; readonly newTag: string }]
}
const texts = await Promise.all(resources.map(read))
const documents = texts.flatMap((text) => [...parseAllDocuments(text)])
const manifests = documents.map((document) => document.toJS() as Manifest)
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind)
const settings = parseEnv(await read('settings.env')) as Readonly<Record<string, string>>

const deployments = ofKind('Deployment')
const cronJob = ofKind('CronJob')[0]!
const job = (cronJob.spec['jobTemplate'] as Manifest).spec
const pods = [...deployments.map(({ spec }) => spec.template), job.template]
const rolesOf = ({ args }: Container) => args[args.indexOf('--role') + 1]?.split(',') ?? []
const portsOf = ({ ports = [] }: Container) =>
  new Map(ports.map(({ name, containerPort }) => [name, containerPort]))

describe('deploy/kubernetes', () => {
  test('every file is YAML, and one that kustomization.yaml names', async () => {
    for (const { errors, warnings } of documents) expect([...errors, ...warnings]).toEqual([])
    const files = (await readdir(folder)).toSorted()
    const named = [...resources, ...configMapGenerator[0].envs, 'kustomization.yaml']
    expect(files).toEqual(named.toSorted())
    const manifest = JSON.parse(await readFile(new URL('../../package.json', folder), 'utf8'))
    expect(images[0].newTag).toBe(manifest.version)
    for (const { spec } of pods) expect(spec.containers[0].image).toBe(images[0].name)
  })

  test('the settings are a configuration that the server takes, and every secret is a file', async () => {
    const own = await freshFolder()
    await writeFile(`${own}/database-url`, 'postgres://mapcrate:secret@database/mapcrate\n')
    await writeFile(`${own}/platform-client-secret`, 'hush\n')
    const env = Object.entries(settings).map(([name, value]) => [
      name,
      value.replace('/etc/mapcrate', own),
    ])
    const config = loadConfig(Object.fromEntries(env))
    expect(config.databaseUrl).toBe('postgres://mapcrate:secret@database/mapcrate')
    expect(config.platform).toMatchObject({ clientSecret: 'hush' })

    const known = Object.entries<Variable<unknown>>(variables)
    for (const name of Object.keys(settings)) {
      const variable = known.find(
        ([each, { isSecret }]) => (isSecret ? `${each}_FILE` : each) === name,
      )
      expect(variable, name).toBeDefined()
    }
    const text = texts.join('\n')
    for (const [name, { isSecret }] of known) {
      if (isSecret) expect(text).not.toMatch(new RegExp(`\\b${name}\\b`))
    }
  })

  test('together the deployments have every role, on the ports that the server listens on', () => {
    const config = loadConfig({ HEALTH_PORT: '8083', METRICS_PORT: settings['METRICS_PORT'] })
    expect(Number(settings['HEALTH_PORT'])).toBe(config.healthPort)
    const wanted = (of: readonly string[]) => [
      ...(of.includes('api') || of.includes('site') ? [config.ports.packs] : []),
      ...(of.includes('pools') ? [config.ports.pools] : []),
      config.healthPort,
      config.metricsPort,
    ]
    const all = deployments.map(({ spec }) => spec.template.spec.containers[0])
    expect(all.flatMap(rolesOf).toSorted()).toEqual(roles.toSorted())
    for (const container of all) {
      expect(container.args.slice(0, 2)).toEqual(['mapcrate-server', 'serve'])
      expect([...portsOf(container).values()]).toEqual(wanted(rolesOf(container)))
    }
  })

  test('services lead to ports of their deployment, the routes to ports of services', () => {
    type Service = { selector: object; ports: { name: string; port: number; targetPort: string }[] }
    const services = new Map(
      ofKind('Service').map(({ metadata, spec }) => [metadata.name, spec as unknown as Service]),
    )
    for (const [name, { selector, ports }] of services) {
      const pod = deployments.find(({ metadata }) => metadata.name === name)?.spec.template
      expect(pod?.metadata.labels).toEqual(selector)
      const own = portsOf(pod!.spec.containers[0])
      for (const { port, targetPort } of ports) expect(own.get(targetPort)).toBe(port)
    }
    type Rule = {
      matches: { path: { type: string; value: string } }[]
      backendRefs: { name: string; port: number }[]
      timeouts: unknown
    }
    const routes = ofKind('HTTPRoute').flatMap(({ spec }) =>
      (spec['rules'] as Rule[]).flatMap(({ matches, backendRefs: [backend], timeouts }) => {
        // Some gateways end a request after 15 seconds, and one for changes waits for 25.
        expect(timeouts).toEqual({ request: '0s' })
        const { name, port } = backend!
        const to = services.get(name)?.ports.find((each) => each.port === port)
        const [host] = spec['hostnames'] as string[]
        return matches.map(({ path }) => [`https://${host}`, path.value, name, to?.port])
      }),
    )
    const gateways = ofKind('HTTPRoute').map(({ spec }) => spec['parentRefs'])
    expect(new Set(gateways.map((each) => JSON.stringify(each))).size).toBe(1)
    expect(routes).toEqual([
      [settings['PACKS_URL'], '/api/v1', 'mapcrate-api', 8080],
      [settings['SITE_URL'], '/', 'mapcrate-site', 8080],
      [settings['POOLS_URL'], '/', 'mapcrate-api', 8081],
    ])
  })

  test('D-54: pods are replaced one by one, drain, and are probed on the health port of every role', () => {
    const { drainSeconds } = loadConfig({ DRAIN_SECONDS: settings['DRAIN_SECONDS'] })
    const budgets = ofKind('PodDisruptionBudget').map(({ spec }) => spec['selector'])
    for (const { spec } of deployments) {
      expect(spec['strategy']).toEqual({ rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } })
      expect(spec['replicas']).toBeGreaterThan(1)
      expect(spec['selector']).toEqual({ matchLabels: spec.template.metadata.labels })
      expect(budgets).toContainEqual(spec['selector'])
      const pod = spec.template.spec
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds + 10)
      const { startupProbe, readinessProbe, livenessProbe } = pod.containers[0]
      expect(startupProbe?.httpGet).toEqual({ path: '/readyz', port: 'health' })
      expect(readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'health' })
      expect(livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'health' })
    }
  })

  test('no container has more rights than it needs, and each mount has its volume', () => {
    for (const { spec } of pods) {
      // Otherwise a service named "pools" would set POOLS_PORT.
      expect(spec.enableServiceLinks).toBe(false)
      expect(spec.automountServiceAccountToken).toBe(false)
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      const [{ securityContext, volumeMounts, resources: room }] = spec.containers
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(room.limits.memory).toMatch(/^\d+Mi$/)
      const mounted = volumeMounts.map(({ name }) => name)
      expect(mounted.toSorted()).toEqual(spec.volumes.map(({ name }) => name).toSorted())
      expect(volumeMounts).toContainEqual({
        name: 'secrets',
        mountPath: '/etc/mapcrate',
        readOnly: true,
      })
    }
  })

  test('a backup is made once a day, one at a time, on a volume of its own', () => {
    expect(cronJob.spec).toMatchObject({ concurrencyPolicy: 'Forbid' })
    expect(cronJob.spec['schedule']).toMatch(/^\d+ \d+ \* \* \*$/)
    const { containers, volumes } = job.template.spec
    expect(containers[0].args).toEqual(['mapcrate-server', 'backup', '--keep', '14', '/backups'])
    expect(containers[0].volumeMounts).toContainEqual({ name: 'backups', mountPath: '/backups' })
    const [claim] = ofKind('PersistentVolumeClaim')
    expect(volumes).toContainEqual({
      name: 'backups',
      persistentVolumeClaim: { claimName: claim?.metadata.name },
    })
  })
})
