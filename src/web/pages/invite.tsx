import { mount } from '../frame.tsx'
import { InvitePage } from '../tournament-staff/invite-page.tsx'

mount(() => <InvitePage />)
