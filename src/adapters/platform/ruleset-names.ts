import type { Ruleset } from '../../contract/mods.ts'

/** The platform's names of the rulesets; its first is `base` everywhere else (D-2). */
export const wireRulesets = ['osu', 'taiko', 'fruits', 'mania'] as const
export type WireRuleset = (typeof wireRulesets)[number]

/** What the platform calls a ruleset. */
export const toWire = (ruleset: Ruleset): WireRuleset => (ruleset === 'base' ? 'osu' : ruleset)

/** What we call it. */
export const fromWire = (name: WireRuleset): Ruleset => (name === 'osu' ? 'base' : name)
