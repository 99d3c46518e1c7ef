// Lets what runs without being built import what the build makes modules of.
import { register } from 'node:module'

register('./hooks.mjs', import.meta.url)
