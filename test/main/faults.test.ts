import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshFolder, runScript } from '../support/processes.ts'

const watchProcess = new URL('../../src/main/serve.ts', import.meta.url).href
const logStream = new URL('../../src/adapters/system.ts', import.meta.url).href

test.each([
  ['an exception', `setTimeout(() => { throw new Error('boom') })`],
  ['a rejected promise', `Promise.reject(new Error('boom'))`],
])('%s that nobody caught is logged, the store is closed, and it exits 1', async (_what, fault) => {
  const script = join(await freshFolder(), 'fault.mjs')
  await writeFile(
    script,
    `import { watchProcess } from '${watchProcess}'
import { openLogStream } from '${logStream}'
const stream = openLogStream()
watchProcess({
  log: { fatal: ({ err }, text) => stream.write(text + ': ' + err.message + '\\n') },
  drain: async () => process.stdout.write('drained'),
  stop: async () => process.stdout.write('stopped'),
  close: async () => process.stdout.write('closed'),
})
setInterval(() => {}, 1000)
${fault}
`,
  )
  expect(await runScript(script)).toEqual({
    code: 1,
    stdout: 'closed',
    stderr: 'an uncaught error: boom\n',
  })
})

test('a store that does not close makes it exit 1 all the same', async () => {
  const script = join(await freshFolder(), 'fault.mjs')
  await writeFile(
    script,
    `import { watchProcess } from '${watchProcess}'
watchProcess({
  log: { info() {}, fatal: (_, text) => process.stderr.write(text) },
  drain: async () => {},
  stop: async () => {},
  close: async () => { throw new Error('disk gone') },
})
setInterval(() => {}, 1000)
process.kill(process.pid, 'SIGTERM')
`,
  )
  expect(await runScript(script)).toMatchObject({ code: 1, stderr: 'could not end in order' })
})
