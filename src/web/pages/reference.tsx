import { mount } from '../frame.tsx'
import { ReferencePage } from '../reference/reference-page.tsx'

mount(() => <ReferencePage />)
