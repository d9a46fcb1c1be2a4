import { mount } from '../frame.tsx'
import { ModerationPage } from '../moderation/moderation-page.tsx'

mount(() => <ModerationPage />)
