import { Editor } from '../editor/editor.tsx'
import { mount } from '../mount.tsx'

mount(() => <Editor />)
