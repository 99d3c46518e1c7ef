// Checks the service that it was built with, on the database of the first argument with the replicas of the third, and
// prints a JSON report.

import { check, loads } from './check.ts'

const [url, load, replicas] = process.argv.slice(2) as [string, keyof typeof loads, string?]
console.log(JSON.stringify(await check(url, loads[load], replicas)))
