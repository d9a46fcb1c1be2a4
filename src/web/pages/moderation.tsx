import { ModerationPage } from '../moderation/moderation-page.tsx'
import { mount } from '../mount.tsx'

mount(() => <ModerationPage />)
