// node … test/freshness/run-check.ts DATABASE_URL LOAD checks the service of this folder and prints a JSON report.

import { check, loads } from './check.ts'

const [url, load] = process.argv.slice(2) as [string, keyof typeof loads]
console.log(JSON.stringify(await check(url, loads[load])))
