import { mount } from '../frame.tsx'
import { WorkspacePage } from '../tournament-edit/workspace-page.tsx'

mount(() => <WorkspacePage />)
