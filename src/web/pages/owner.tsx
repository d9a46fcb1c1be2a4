import { mount } from '../frame.tsx'
import { OwnerPage } from '../owner/owner-page.tsx'
import { required } from '../page-data.ts'

export const owner = mount(() => <OwnerPage owner={required('owner')} />)
