import type { TournamentSummary } from '../../contract/tournaments.ts'
import { formatNumber, formatRuleset } from '../format.ts'

type Facts = Pick<TournamentSummary, 'ruleset' | 'year' | 'rankMin' | 'rankMax'>

/** `Standard`, `2026`, `#1,000–9,999`: who plays it, and when, as far as its hosts say so. */
export const factsOf = ({ ruleset, year, rankMin, rankMax }: Facts): string[] =>
  [
    formatRuleset(ruleset),
    year === undefined ? '' : String(year),
    formatRanks(rankMin, rankMax),
  ].filter(Boolean)

/** `#1,000–9,999`, `#1,000+`; empty where no bound is known. */
export function formatRanks(min: number | undefined, max: number | undefined): string {
  if (max !== undefined) return `#${formatNumber(min ?? 1)}–${formatNumber(max)}`
  return min === undefined ? '' : `#${formatNumber(min)}+`
}

/** The id of a round's section in the page of its tournament; with a hyphen it precedes all ids in it. */
export const roundId = (id: string): string => `r-${id}`
