import { mount } from '../frame.tsx'
import { TournamentsPage } from '../tournaments/tournaments-page.tsx'

export const tournaments = mount(() => <TournamentsPage />)
