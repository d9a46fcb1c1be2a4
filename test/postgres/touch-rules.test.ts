import { expect, onTestFinished, test } from 'vitest'
import { tempPostgresStore } from '../ports/temp-store.ts'
import { touchTriggers } from '../support/touch-triggers.ts'

test('a database has the triggers that the rules say', async () => {
  const store = await tempPostgresStore()
  onTestFinished(() => store.remove())
  await store.open()
  const found = await store.query(`
    select tgname as name, prosrc as body, pg_get_triggerdef(pg_trigger.oid) as made
    from pg_trigger join pg_proc on pg_proc.oid = tgfoid
    where tgname like 'touch\\_%' order by tgname`)
  const declared = touchTriggers().toSorted((a, b) => (a.name < b.name ? -1 : 1))
  expect(found.map(({ name, body }) => ({ name, body }))).toEqual(
    declared.map(({ name, body }) => ({ name, body })),
  )
  // The server writes them in words of its own: those of the rules are made and written likewise.
  await store.query(
    declared
      .map(({ name, on }) => `drop trigger ${name} on ${on.split(' on ')[1]!.split(' ')[0]}`)
      .join(';'),
  )
  await store.query(
    declared
      .map(({ name, on }) => `create trigger ${name} ${on} execute function ${name}()`)
      .join(';'),
  )
  const again = await store.query(`
    select tgname as name, pg_get_triggerdef(oid) as made
    from pg_trigger where tgname like 'touch\\_%' order by tgname`)
  expect(found.map(({ name, made }) => ({ name, made }))).toEqual(again)
})
