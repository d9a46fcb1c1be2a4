import { mount } from '../mount.tsx'
import { ReferencePage } from '../reference/reference-page.tsx'

mount(() => <ReferencePage />)
