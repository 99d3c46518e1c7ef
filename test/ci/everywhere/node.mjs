// Installs the current LTS release of Node in the given folder, and prints its path.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { unpackPackage } from '../../../src/build/packages.mjs'
import { hostTarget, latestNode, nodePackage } from '../../../src/build/targets.mjs'

const folder = join(process.argv[2], 'node-lts')
mkdirSync(folder, { recursive: true })
unpackPackage(nodePackage(hostTarget, { version: latestNode }), folder, ['bin/node'])
console.log(join(folder, 'bin', 'node'))
