// Lets tests import .sql files as text, as the build does.
import { register } from 'node:module'

register('./sql-as-text.mjs', import.meta.url)
