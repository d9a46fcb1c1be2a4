/** The palette of custom buckets, by position. */
export const colorNames = [
  'green',
  'teal',
  'pink',
  'lime',
  'cyan',
  'fuchsia',
  'yellow',
  'red',
  'indigo',
  'stone',
] as const
