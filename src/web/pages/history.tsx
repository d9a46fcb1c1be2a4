import { mount } from '../frame.tsx'
import { HistoryPage } from '../history/history-page.tsx'
import { pageData } from '../page-data.ts'

const { pack } = pageData()
if (pack === undefined) throw new Error('This page has no pack.')
mount(() => <HistoryPage pack={pack} />)
