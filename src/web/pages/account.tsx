import { AccountPage } from '../account/account-page.tsx'
import { mount } from '../mount.tsx'

mount(() => <AccountPage />)
