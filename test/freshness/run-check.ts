// node … test/freshness/run-check.ts <address of a database> <short or long> checks the service of this folder and prints what was found.

import { check, loads } from './check.ts'

const [url, load] = process.argv.slice(2) as [string, keyof typeof loads]
console.log(JSON.stringify(await check(url, loads[load])))
