import { mount } from '../mount.tsx'
import { bringKeyBack, keepKeyAtSignIn } from '../open-key/kept-key.ts'
import { OpenKeyPage } from '../open-key/open-key-page.tsx'

bringKeyBack()
keepKeyAtSignIn()
mount(() => <OpenKeyPage />)
