import { AccountPage } from '../account/account-page.tsx'
import { mount } from '../frame.tsx'

mount(() => <AccountPage />)
