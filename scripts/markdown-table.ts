/** A table of Markdown as the formatter would write it; the first row is its head. */
export const markdownTable = (rows: readonly (readonly string[])[]): string => {
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const line = (cells: readonly string[], fill = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(width(column), fill)).join(' | ')} |\n`
  const [top = [], ...others] = rows
  return [
    line(top),
    line(
      top.map(() => ''),
      '-',
    ),
    ...others.map((row) => line(row)),
  ].join('')
}
