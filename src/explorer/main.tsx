// The explorer: shows what an API key can read.

import { render } from 'preact'
import { App } from './app.tsx'

render(<App />, document.getElementById('explorer')!)
