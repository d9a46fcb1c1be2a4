/** The built-in bucket codes in pool order (spec 2.4). */
export const builtinCodes = ['NM', 'HD', 'HR', 'DT', 'FM', 'TB'] as const
export type BuiltinCode = (typeof builtinCodes)[number]

/** The mods that a bucket can force, in the order in which a set is stored (D-23). */
export const forcedMods = ['EZ', 'HD', 'HR', 'DT', 'HT', 'FL'] as const
export type ForcedMod = (typeof forcedMods)[number]

/** The mods that stats can name, in their order (spec 2.6). */
export const statsMods = ['NM', 'HD', 'HR', 'DT', 'FM', 'TB', 'EZ', 'HT', 'FL'] as const
export type StatsMod = (typeof statsMods)[number]

/** The rulesets, in ruleset order; the platform's first is `base` here (D-2). */
export const rulesets = ['base', 'taiko', 'fruits', 'mania'] as const
export type Ruleset = (typeof rulesets)[number]

/** What people call them. */
export const rulesetNames: Readonly<Record<Ruleset, string>> = {
  base: 'Standard',
  taiko: 'Taiko',
  fruits: 'Catch',
  mania: 'Mania',
}
