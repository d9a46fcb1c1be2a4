import { mount } from '../frame.tsx'
import { NoticePage } from '../parts/notice-page.tsx'

export const notice = mount(() => <NoticePage />)
