// Runs test files for `npm run mutations`, in a process that can be stopped. One Vitest is kept: what has
// not changed since the last run is not compiled again.
import { relative } from 'node:path'
import { BaseSequencer, createVitest, type TestSpecification } from 'vitest/node'

/**
 * The test files to run, until the first failure, and the modules that have changed since the last run. Each that has
 * ended is told before the answer.
 */
export type Asked = { readonly tests: readonly string[]; readonly changed: readonly string[] }
/** What failed, in which test file; nothing of it if all passed. And how many milliseconds each that passed took. */
export type Answered = {
  readonly by?: string
  readonly file?: string
  readonly took: readonly (readonly [file: string, ms: number])[]
}

/** The first is the likeliest to fail. */
class AsAsked extends BaseSequencer {
  static order: readonly string[] = []

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => AsAsked.order.indexOf(moduleId)
    return files.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

const [tree, temporary] = process.argv.slice(2) as [string, string]
const vitest = await createVitest('test', {
  root: tree,
  project: ['sqlite'],
  watch: false,
  bail: 1,
  // It loads the modules once for all of them.
  maxWorkers: 1,
  sequence: { sequencer: AsAsked },
  reporters: [{ onTestModuleEnd: () => void process.send!('one more') }],
})
// Of the tests alone: what they leave there is removed after each run.
process.env['TMPDIR'] = temporary

process.on('message', (asked: Asked) => {
  void run(asked).then((answered) => process.send!(answered))
})

async function run({ tests, changed }: Asked): Promise<Answered> {
  // Failures of the run before would end this one.
  vitest.state.filesMap.clear()
  vitest.state.idMap.clear()
  for (const path of changed) vitest.invalidateFile(path)
  AsAsked.order = tests
  const { testModules, unhandledErrors } = await vitest.runTestFiles([...tests])
  const took = testModules
    .filter((each) => each.state() === 'passed')
    .map((each) => [relative(tree, each.moduleId), each.diagnostic().duration] as const)
  for (const each of testModules) {
    const file = relative(tree, each.moduleId)
    for (const test of each.children.allTests('failed')) {
      return { took, file, by: `${file} › ${test.fullName}` }
    }
    // What fails before the first test of a suite is none of its tests.
    if (each.state() === 'failed') return { took, file, by: `${file} › while loading` }
  }
  return unhandledErrors.length > 0 ? { took, by: 'an error outside the tests' } : { took }
}
