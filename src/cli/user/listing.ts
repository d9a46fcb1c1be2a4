import { PAGE_PATTERN } from '../../contract/bounds.ts'
import { type CommandOption, usageError } from '../program.ts'
import { count } from './pack-text.ts'
import type { CliContext } from './user-command.ts'

export const pageOptions: readonly CommandOption[] = [
  { name: 'page', takes: 'N', about: 'page number (default: 1)' },
  { name: 'all', about: 'list all pages' },
]

/**
 * The page that is asked for by `--page`, the first by default; null for all by `--all`.
 *
 * @throws CliError (usage)
 */
export function readPageNumber({ options }: CliContext): number | null {
  const page = options.get('page')
  if (options.has('all')) {
    if (page !== undefined) throw usageError('give --all or --page, not both')
    return null
  }
  if (page === undefined) return 1
  if (new RegExp(PAGE_PATTERN).test(page)) return Number(page)
  throw usageError(`--page "${page}" is no page; give a whole number from 1 to 999999`)
}

export function notePage(
  page: number,
  { pageCount, total }: { readonly pageCount: number; readonly total: number },
  noun: string,
  { options, screen }: CliContext,
): void {
  if (pageCount <= 1 || options.has('json')) return
  screen.note(`Page ${page} of ${pageCount}, ${count(total, noun)}; --all for all of them.`)
}

/** @param onItem is called with how many there are so far. */
export async function collect<T>(
  items: AsyncIterable<T>,
  onItem: (count: number) => void = () => {},
): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) onItem(all.push(item))
  return all
}
