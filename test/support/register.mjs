// Lets code that runs without a build import the files that the build turns into modules.
import { register } from 'node:module'

register('./hooks.mjs', import.meta.url)
