import { mount } from '../frame.tsx'
import { pageData } from '../page-data.ts'
import { TournamentPage } from '../tournaments/tournament-page.tsx'

export const tournament = mount(() => {
  const { tournament, roundStats } = pageData()
  if (tournament === undefined) throw new Error('This page has no tournament.')
  return <TournamentPage first={tournament} roundStats={roundStats} />
})
