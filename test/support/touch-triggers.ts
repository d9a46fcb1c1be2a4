import { type TouchRule, touchRules } from '../../src/adapters/storage/caches.ts'

/** Names of triggers and of their functions, by what they are made with. */
type TouchTrigger = { readonly name: string; readonly on: string; readonly body: string }

/** The triggers of PostgreSQL that the rules say. */
export const touchTriggers = (): TouchTrigger[] =>
  [...Map.groupBy(touchRules, ({ table }) => table).values()].flatMap((rules) =>
    rules.flatMap((rule, at) => triggersOf(rule, `touch_${rule.table}_${at}`)),
  )

const triggersOf = (rule: TouchRule, name: string): TouchTrigger[] => {
  const { table, columns, isQuietWhenNew } = rule
  const row = (which: string) => `(${columns?.map((column) => `${which}.${column}`).join(', ')})`
  const insert = changeOf(rule, name, 'insert', 'new')
  const remove = changeOf(rule, name, 'delete', 'old')
  const update = {
    name: `${name}_update`,
    on: `after update of ${columns?.join(', ')} on ${table} for each row when (${row('old')} is distinct from ${row('new')})`,
    body: bodyOf(rule, 'old', 'new'),
  }
  const some = [...(isQuietWhenNew === true ? [] : [insert]), remove]
  return columns === undefined ? some : [...some, update]
}

const changeOf = (rule: TouchRule, name: string, event: string, row: 'old' | 'new') => {
  const rows =
    rule.isOfMany === true
      ? `referencing ${row} table as changed for each statement`
      : 'for each row'
  return {
    name: `${name}_${event}`,
    on: `after ${event} on ${rule.table} ${rows}`,
    body: rule.isOfMany === true ? bodyOf(rule, 'changed') : bodyOf(rule, row),
  }
}

/** A single row of no other table costs least: each save of a pack has one. */
const bodyOf = (rule: TouchRule, ...rows: readonly string[]): string => {
  const { tags, from } = rule
  const isSelected = from !== undefined || rows.includes('changed')
  const values = [...new Set(rows.flatMap((row) => tags(row)))].join(', ')
  const found = [...new Set(rows.map((row) => selectOf(rule, row)))].join(' union all ')
  const touched = isSelected
    ? `select array_agg(distinct tag) from (
    ${found}
  ) as touching (tag) having count(tag) > 0`
    : `values (array[${values}])`
  return `
begin
  insert into touched (tags) ${touched};
  return null;
end
`
}

const selectOf = ({ tags, from }: TouchRule, row: string): string => {
  const sources = from?.(row, (json) => `json_array_elements_text(${json}::json) as each (value)`)
  return `select unnest(array[${tags(row).join(', ')}]) from ${sources ?? row}`
}

/** As a migration has them. */
export const touchTriggersSql = (): string =>
  touchTriggers()
    .map(
      ({ name, on, body }) =>
        `create function ${name}() returns trigger language plpgsql as $$${body}$$;\n` +
        `create trigger ${name} ${on}\nexecute function ${name}();\n`,
    )
    .join('\n')
