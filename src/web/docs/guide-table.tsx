import type { JSX } from 'preact'
import type { GuideBlock } from './guide.ts'
import { guideHtml } from './guide-html.ts'
import { ScrollBox } from './scroll-box.tsx'

/** A table of a guide; on a phone it scrolls by itself. */
export const GuideTable = ({
  under,
  head,
  rows,
}: Extract<GuideBlock, { kind: 'table' }>): JSX.Element => (
  <ScrollBox label={`Table: ${under}`}>
    <table class={`docs-table columns-${head.length}`}>
      {head.some((cell) => cell !== '') && (
        <thead>
          <tr>
            {head.map((cell, column) =>
              // A heading that says nothing is none.
              cell === '' ? (
                <td key={column} />
              ) : (
                <th key={column} scope="col" {...guideHtml(cell)} />
              ),
            )}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, column) => (
              <td key={column} {...guideHtml(cell)} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollBox>
)
