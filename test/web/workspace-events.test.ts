import { expect, test, vi } from 'vitest'
import type { WorkspaceEvent } from '../../src/contract/workspace.ts'
import type { Workspace as WorkspaceModel } from '../../src/web/tournament-edit/model.ts'
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

// Of who is signed in, what is not found is asked about once more: has the session ended?
test.each([
  ['a visitor', null],
  ['a member', { id: 'cccccccccc', csrf: 'token' }],
])(
  'D-82: what could not be read of a round while it was deleted is read with the next event, by %s',
  async (_, viewer) => {
    // Of the page of another test, the viewer would stay.
    vi.resetModules()
    const { Workspace } = await import('../../src/web/tournament-edit/model.ts')
    const said = { candidates: [], remarks: [] as unknown[] }
    let isDeleted = false
    const browser = new PageBrowser(async (url) => {
      const body = url.endsWith('/discussion') ? said : { round }
      if (url.endsWith('/session')) return Response.json({ viewer })
      return isDeleted
        ? Response.json({ error: { code: 'not_found', message: 'gone' } }, { status: 404 })
        : Response.json(body, { headers: { etag: '"1"' } })
    }, viewer)
    let workspace!: WorkspaceModel
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
  },
)
