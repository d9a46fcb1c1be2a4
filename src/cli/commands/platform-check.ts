import { setTimeout as sleep } from 'node:timers/promises'
import { type CheckedCall, createPlatformCheck } from '../../adapters/platform/check.ts'
import { signInCaller } from '../../domain/platform.ts'
import type { Config } from '../../main/config.ts'
import { signInAddresses } from '../../main/sign-in-addresses.ts'
import { type Ports, userAgentOf } from '../../main/wire.ts'
import { CliError, type ProcessIo } from '../program.ts'
import { withPorts } from './with-ports.ts'

/**
 * Makes the calls of the check, printing each, out of the calls that all processes share. As long as the platform pauses,
 * too: it is then that operators want to know.
 */
export async function checkPlatform(
  { env, stdout, stderr }: ProcessIo,
  isJson: boolean,
): Promise<void> {
  await withPorts(env, 'make', async (ports, config) => {
    const { platform, publicUrls } = config
    if (platform === null) {
      throw new CliError(
        'PLATFORM_CLIENT_ID is not set: the stand-in platform is used, of which nothing is to be checked',
      )
    }
    const check = createPlatformCheck({
      ...platform,
      userAgent: userAgentOf(publicUrls.site ?? publicUrls.packs),
      redirectUris: signInAddresses(config),
    })
    const planned = check.planned.map(({ number, asks }) => `${numbered(number)}${asks}\n`).join('')
    stderr.write(
      `${check.planned.length} calls to ${platform.url}, out of the 50 a minute of this installation:\n${planned}\n`,
    )
    const calls: CheckedCall[] = []
    for await (const call of check.run(() => takeCall(ports, stderr))) {
      calls.push(call)
      if (!isJson) stdout.write(callText(call))
    }
    const differing = calls.filter((call) => call.differences.length > 0).length
    if (isJson) stdout.write(`${JSON.stringify(checkJson(platform, calls), null, 2)}\n`)
    if (differing > 0)
      throw new CliError(`${differing} of ${calls.length} answers are not as expected`)
    if (!isJson) stdout.write(`all ${calls.length} answers are as expected\n`)
  })
}

/**
 * Takes one of the calls that all processes share, as soon as there is one; returns what notes that it was answered.
 *
 * @param wait left out: real time.
 */
export async function takeCall(
  { callBudget, clock }: Pick<Ports, 'callBudget' | 'clock'>,
  stderr: ProcessIo['stderr'],
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<() => Promise<void>> {
  for (;;) {
    const now = clock.now()
    const permit = await callBudget.take(signInCaller('', 'operator'), now)
    if (permit.granted) {
      const [call = 0] = permit.calls
      return () => callBudget.answered(call, clock.now())
    }
    const seconds = Math.max(1, Math.ceil((permit.retryAt - now) / 1000))
    stderr.write(`waiting ${seconds} s for a call of this minute\n`)
    await wait(seconds * 1000)
  }
}

function checkJson({ url }: NonNullable<Config['platform']>, calls: readonly CheckedCall[]) {
  const isAsExpected = calls.every((call) => call.differences.length === 0)
  return { platform: url, asExpected: isAsExpected, calls }
}

const numbered = (number: number): string => `${String(number).padStart(2)}  `

function callText({ number, asks, came, differences, means, note }: CheckedCall): string {
  const isExpected = differences.length === 0
  const lines = [
    `${asks}: ${isExpected ? 'as expected' : 'DIFFERENT'}`,
    `came: ${came}`,
    ...differences.map((difference) => `- ${difference}`),
    ...[means, note].filter((text) => text !== null),
  ]
  return `${numbered(number)}${lines.join('\n    ')}\n`
}
