import { claimDraft } from '../editor/draft/drafts.tsx'
import { Editor } from '../editor/editor.tsx'
import { mount } from '../frame.tsx'
import { pageData } from '../page-data.ts'

const claim = pageData().pack === undefined ? await claimDraft() : null
mount(() => <Editor claim={claim} />)
