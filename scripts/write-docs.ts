import { writeFileSync } from 'node:fs'
import { cliDoc } from './cli-doc.ts'
import { configurationDoc } from './configuration-doc.ts'
import { formatTableDoc } from './format-table-doc.ts'
import { operatorDoc } from './operator-doc.ts'

const docs = new URL('../docs/', import.meta.url)
writeFileSync(new URL('configuration.md', docs), configurationDoc())
writeFileSync(new URL('operator.md', docs), await operatorDoc())
writeFileSync(new URL('format-table.md', docs), formatTableDoc())
writeFileSync(new URL('cli.md', docs), await cliDoc())
