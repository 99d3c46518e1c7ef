// Prints what the checker finds on the database at the address given.

import { check, shortLoad } from './check.ts'

const { violations } = await check(process.argv[2]!, shortLoad)
console.log(JSON.stringify(violations))
