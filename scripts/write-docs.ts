import { readFileSync, writeFileSync } from 'node:fs'
import { cliDoc } from './cli-doc.ts'
import { configurationDoc } from './configuration-doc.ts'
import { formatTableDoc } from './format-table-doc.ts'
import { withImports } from './import-doc.ts'
import { alertRules } from './monitoring/alerts.ts'
import { dashboard } from './monitoring/dashboard.ts'
import { withMetricTable } from './monitoring/table.ts'
import { operatorDoc } from './operator-doc.ts'

const docs = new URL('../docs/', import.meta.url)
writeFileSync(new URL('configuration.md', docs), configurationDoc())
writeFileSync(new URL('operator.md', docs), await operatorDoc())
writeFileSync(new URL('format-table.md', docs), formatTableDoc())
writeFileSync(new URL('cli.md', docs), await cliDoc())

const imports = new URL('formats.md', docs)
writeFileSync(imports, withImports(readFileSync(imports, 'utf8')))

const operations = new URL('operations.md', docs)
writeFileSync(operations, withMetricTable(readFileSync(operations, 'utf8')))
const deploy = new URL('../deploy/', import.meta.url)
writeFileSync(new URL('alerts.yml', deploy), alertRules())
writeFileSync(new URL('grafana-dashboard.json', deploy), dashboard())
