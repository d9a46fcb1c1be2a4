import { mount } from '../frame.tsx'
import { TournamentsPage } from '../tournaments/tournaments-page.tsx'

mount(() => <TournamentsPage />, 'tournaments')
