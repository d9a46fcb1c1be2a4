import { mount } from '../frame.tsx'
import { StaffPage } from '../tournament-staff/staff-page.tsx'

mount(() => <StaffPage />)
