import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

const sources = ['scripts', 'bench', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?ts$/.test(name))
    .map((name) => join(folder, name))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
)
const programs = sources
  .filter(([path, source]) => !path.startsWith('test/') && /\breadArguments\(/.test(source))
  .map(([path]) => path)
  .filter((path) => path !== 'scripts/arguments.ts')

const run = async (program: string, ...args: string[]) => {
  const child = spawn(process.execPath, [join(root, program), ...args], { stdio: 'pipe' })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { stdout, stderr, code: Number(code) }
}

// A count that is none would be zero repetitions, in which nothing is ever wrong.
it.each(programs)(
  '%s does nothing but print its usage when its arguments make no sense',
  async (program) => {
    const [help, wrong] = await Promise.all([
      run(program, '--help'),
      run(program, ...Array.from({ length: 5 }, () => 'NaN')),
    ])
    expect(help).toEqual({
      stdout: expect.stringMatching(/^(npm run|node scripts)\S* .+\n$/),
      stderr: '',
      code: 0,
    })
    expect(wrong).toEqual({ stdout: '', stderr: expect.stringMatching(/^.*NaN.*\n/), code: 2 })
    expect(wrong.stderr.endsWith(`\n${help.stdout}`)).toBe(true)
  },
)

it('every program that package.json names reads its arguments by one function', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const named = Object.values(scripts).flatMap(
    (script) => /node ((?:scripts|bench)\/\S+\.ts)$/.exec(script)?.[1] ?? [],
  )
  expect(named.length).toBeGreaterThan(15)
  const others = sources
    .filter(([path, source]) => named.includes(path) && source.includes('process.argv'))
    .map(([path]) => path)
  expect(others).toEqual([])
})

it('every program and test reads its counts by one function', () => {
  expect(programs.length).toBeGreaterThan(10)
  const others = sources
    .filter(([path]) => path !== 'scripts/arguments.ts')
    .filter(([, source]) => /\bparseArgs\(|Number\(process\.(argv|env\S* \?\?)/.test(source))
  expect(others.map(([path]) => path)).toEqual([])
})
