import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const program = fileURLToPath(new URL('store-program.ts', import.meta.url))

/** Runs the store program in a process of its own, and gives what it printed. */
export const runProcess = async (file: string, ...command: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, file, ...command])
  return stdout.trim()
}

/** Starts it and gives its lines as they come. */
export const startProcess = (
  file: string,
  ...command: string[]
): { child: ChildProcess; lines: AsyncIterable<string> } => {
  const child = spawn(process.execPath, [program, file, ...command], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  return { child, lines: createInterface({ input: child.stdout }) }
}
