// Checks the service that it was built with, on the database of the first argument, and prints a JSON report.

import { check, loads, type LoadName } from './changes-check.ts'

const [url, load] = process.argv.slice(2) as [string, LoadName]
console.log(JSON.stringify(await check(url, loads[load])))
