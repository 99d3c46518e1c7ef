// Checks the service that it was built with, on the database of the first argument, and prints a JSON report.

import { check, loads } from './check.ts'

const [url, load] = process.argv.slice(2) as [string, keyof typeof loads]
console.log(JSON.stringify(await check(url, loads[load])))
