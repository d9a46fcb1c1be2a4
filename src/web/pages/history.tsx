import { mount } from '../frame.tsx'
import { HistoryPage } from '../history/history-page.tsx'
import { required } from '../page-data.ts'

const pack = required('pack')
mount(() => <HistoryPage pack={pack} />)
