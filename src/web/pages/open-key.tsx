import { mount } from '../frame.tsx'
import { bringKeyBack, keepKeyAtSignIn } from '../open-key/key-address.ts'
import { OpenKeyPage } from '../open-key/open-key-page.tsx'

bringKeyBack()
keepKeyAtSignIn()
mount(() => <OpenKeyPage />)
