import type { FastifyInstance } from 'fastify'

/** The paths of an app that take GET, with `{name}` for what differs, as Fastify prints them. */
export function pathsOf(app: FastifyInstance): string[] {
  const above: string[] = []
  const paths: string[] = []
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = '', methods = ''] =
      /^([│ ├└─]*)(\S+)(?: \((.*)\))?$/.exec(line) ?? []
    if (part === '') continue
    above.length = indent.length / 4 - 1
    above.push(part)
    if (methods.includes('GET')) paths.push(above.join('').replaceAll(/:(\w+)/g, '{$1}'))
  }
  return paths
}
