import { expect, test } from 'vitest'
import type { WorkspaceEvent } from '../../src/contract/workspace.ts'
import { Workspace } from '../../src/web/tournament-edit/model.ts'
import { PageBrowser } from '../support/page-browser.ts'

const ROUND = 'aaaaaaaaaa'
const round = { id: ROUND, name: 'Finals', slots: [], createdAt: '', updatedAt: '' }
const tournament = { slug: 'cup', name: 'Cup', role: 'host', rounds: [round] }

const eventOf = (discussion: string): WorkspaceEvent => ({
  marks: {
    tournament: 't',
    staff: 's',
    rounds: { [ROUND]: 'r' },
    discussion: { [ROUND]: discussion },
  },
  here: [],
})

test('D-82: what could not be read of a round while it was deleted is read with the next event', async () => {
  const said = { candidates: [], remarks: [] as unknown[] }
  let isDeleted = false
  const browser = new PageBrowser(async (url) => {
    const body = url.endsWith('/discussion') ? said : { round }
    return isDeleted
      ? Response.json({ error: { code: 'not_found', message: 'gone' } }, { status: 404 })
      : Response.json(body, { headers: { etag: '"1"' } })
  })
  let workspace!: Workspace
  await browser.run(() => {
    workspace = new Workspace({ tournament, isLimited: false, ...eventOf('none') } as never)
  })
  said.remarks = [{ id: 'bbbbbbbbbb', text: 'Too long for a finals pool' }]
  isDeleted = true
  await browser.run(() => workspace.see(eventOf('one')))
  expect(workspace.round?.discussion.value.remarks).toEqual([])

  isDeleted = false
  await browser.run(() => workspace.see(eventOf('one')))
  expect(workspace.round?.discussion.value).toEqual(said)
})
