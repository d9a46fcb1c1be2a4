/** Where something is on the screen, from top to bottom. */
export type Extent = { readonly top: number; readonly bottom: number }

/** A lane on the screen, with its rows in order. */
export type LaneExtent = Extent & {
  readonly mod: string | null
  readonly rows: readonly (Extent & { readonly key: number })[]
}

/** A place in a lane, counted from 0 among its rows without the one that is dragged. */
export type DropPlace = { readonly mod: string | null; readonly at: number }

const distance = ({ top, bottom }: Extent, y: number): number => Math.max(top - y, y - bottom, 0)

/** Where a row that is let go at this height would come to stand: in the nearest lane. */
export const dropPlace = (
  lanes: readonly LaneExtent[],
  key: number,
  y: number,
): DropPlace | null => {
  const [nearest] = lanes.toSorted((a, b) => distance(a, y) - distance(b, y))
  if (nearest === undefined) return null
  const others = nearest.rows.filter((row) => row.key !== key)
  const at = others.findIndex(({ top, bottom }) => y < (top + bottom) / 2)
  return { mod: nearest.mod, at: at < 0 ? others.length : at }
}
