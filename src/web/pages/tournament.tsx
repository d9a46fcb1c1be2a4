import { mount } from '../frame.tsx'
import { pageData, required } from '../page-data.ts'
import { TournamentPage } from '../tournaments/tournament-page.tsx'

export const tournament = mount(() => (
  <TournamentPage
    first={required('tournament')}
    roundStats={pageData().roundStats}
    roundChanges={pageData().roundChanges}
  />
))
