/** What is wrong with a file of the reader's, in words of the page. */
export class FileProblem extends Error {}

/** Does something with a file of the reader's; throws a `FileProblem` if it is one that cannot be read or changed. */
export async function withFile<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { problemOf } = await import('./file-wording.ts')
    const problem = problemOf(error)
    throw problem === null ? error : new FileProblem(problem)
  }
}
