import type { BuiltinCode } from '../../contract/mods.ts'

/** The picture is dark, whatever the reader's theme: other programs show it. */
export const palette = {
  ground: '#12151c',
  panel: '#1a1f29',
  hairline: '#2b3240',
  ink: '#f3f5f9',
  quietInk: '#a3adbd',
  starInk: '#ffd76a',
}

/** The colours of every tournament sheet. */
export const builtin: Readonly<Record<BuiltinCode, string>> = {
  NM: '#60a5fa',
  HD: '#facc15',
  HR: '#f87171',
  DT: '#c084fc',
  FM: '#4ade80',
  TB: '#e5e7eb',
}

/** Green, teal, pink, lime, cyan, fuchsia, yellow, red, indigo, stone. */
export const custom: readonly string[] = [
  '#16a34a',
  '#2dd4bf',
  '#f472b6',
  '#a3e635',
  '#22d3ee',
  '#e879f9',
  '#ca8a04',
  '#f14b4b',
  '#818cf8',
  '#a8a29e',
]
