import { serverCommands } from '../src/cli/commands/table.ts'
import { commandHelp } from '../src/cli/program.ts'

const head = `# mapcrate-server

The command line of operators. In the project's folder it runs as \`npx mapcrate-server\`. Unless noted
otherwise, commands can be used while the server runs, with the same configuration (see
[configuration.md](configuration.md)); changes take effect at once.

Results are written to stdout, messages to stderr. Exit status: 0 success, 1 failure, 2 usage error. An argument that
cannot be right, such as a reason of two lines, is a usage error; a file that cannot be used is a failure.

Arguments are UTF-8 without line breaks and control characters. Their length is counted as that of
[all texts](api.md): emoji and other characters outside the Basic Multilingual Plane count twice. Characters of names
and reasons that a terminal acts on are printed as in JSON, such as \`\\u001b\`, also where no JSON is asked for.

`

const tail = `## Watching it

Outside \`/api/v1\`, without a key, both services answer \`GET /healthz\` (200: the process lives) and
\`GET /readyz\` (200: send requests; 503: the store cannot serve, or the process is shutting down).

## Stopping it

SIGTERM: \`/readyz\` says 503 \`draining\` at once. For \`DRAIN_SECONDS\` (5) everything is still served, on
new connections too, and each answer closes its connection, so that a load balancer sends the next
request elsewhere. Then nothing new is accepted, requests in flight are finished (after 10 seconds they
are cut), the store is closed, and the process exits 0. Give the supervisor \`DRAIN_SECONDS\` and 15
seconds more before it kills the process. Ctrl+C (SIGINT) does the same without the wait. A second
signal exits at once. A process that is killed loses no answered save.

This file is written by \`npm run docs\` from the help of the commands.
`

/** The text of `docs/operator.md`. */
export const operatorDoc = async (): Promise<string> => {
  const sections = await Promise.all(
    serverCommands.map(async ({ name, summary, load }) => {
      const help = commandHelp('mapcrate-server', name, await load())
      return `## ${name}: ${summary}\n\n\`\`\`text\n${help}\`\`\`\n\n`
    }),
  )
  return head + sections.join('') + tail
}
