import { mount } from '../frame.tsx'
import { MyTournamentsPage } from '../tournaments/my-tournaments-page.tsx'

mount(() => <MyTournamentsPage />)
