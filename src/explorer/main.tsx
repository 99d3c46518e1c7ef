// The explorer: shows what an API key can read.

import './explorer.css'
import './parts/parts.css'
import './charts/charts.css'
import './overview/overview.css'
import './project/project.css'
import './tasks/task-list.css'
import './tasks/task.css'
import './print/print.css'
import { render } from 'preact'
import { App } from './app.tsx'

render(<App />, document.getElementById('explorer')!)

// Loading the page again would forget the key.
for (const link of document.querySelectorAll('header a[href="explorer"]')) link.setAttribute('href', '#/')

// The fragment of the address is the view, so the link to the content must not change it.
document.querySelector('a.skip')!.addEventListener('click', (event) => {
  event.preventDefault()
  document.getElementById('explorer')!.focus()
})
