// Runs in the browser and renders the reference.

// The path of the service, below any prefix of a proxy: this script is at docs/reference.js.
const root = new URL('..', import.meta.url).pathname
const [{ createApiReference }, text] = await Promise.all([
  import(document.getElementById('renderer').href),
  fetch(`${root}openapi.json`).then((response) => response.text()),
])
const api = JSON.parse(relocate(text))

// The renderer ignores the servers of a path, and selects that of the document for every operation.
for (const { servers, ...operations } of Object.values(api.paths)) {
  if (!servers) continue
  const selected = { servers, 'x-scalar-selected-server': servers[0].url }
  for (const operation of Object.values(operations)) Object.assign(operation, selected)
}

// The renderer sends every parameter that has an example. Optional ones are disabled until the user ticks them, unless
// the request fails without them. Periods end today, like the demo data.
for (const parameter of parametersOf(api)) {
  if (parameter.example === undefined) continue
  parameter.example = moveDay(parameter.example)
  if (parameter.required || parameter['x-try-it']) continue
  parameter.examples = { default: { value: parameter.example, 'x-disabled': true } }
  delete parameter.example
}

createApiReference('#reference', {
  content: api,
  // The page header links to the document.
  documentDownloadType: 'none',
  generateOperationSlug: ({ operationId }) => operationId,

  // A key that the user enters is not stored.
  persistAuth: false,

  // These features call other hosts or advertise Scalar's products.
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,

  // The header of the page has one search and one theme switch for the guides and the reference.
  hideSearch: true,
  hideDarkModeToggle: true,

  defaultOpenAllTags: true,
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  modelsSectionLabel: 'Schemas',
})

// The renderer follows only the theme of the system after it has loaded.
const { dataset } = document.documentElement
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')
function followTheme() {
  const isDark = dataset.theme ? dataset.theme === 'dark' : systemIsDark.matches
  document.body.classList.toggle('dark-mode', isDark)
  document.body.classList.toggle('light-mode', !isDark)
}
followTheme()
new MutationObserver(followTheme).observe(document.documentElement, { attributeFilter: ['data-theme'] })
new MutationObserver(followTheme).observe(document.body, { attributeFilter: ['class'] })

document.querySelector('.skip').addEventListener('click', (event) => {
  // The renderer uses the fragment of the URL for its own navigation.
  event.preventDefault()
  const main = document.querySelector('#reference main')
  main.tabIndex = -1
  main.focus()
})

/** Moves a day or a time by the days since the last day in the examples. */
function moveDay(example) {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(T.*)?$/.exec(example) ?? []
  if (day === undefined) return example
  const today = new Date().toISOString().slice(0, 10)
  const moved = Date.parse(day) + Date.parse(today) - Date.parse('2026-11-21')
  return new Date(moved).toISOString().slice(0, 10) + (time ?? '')
}

/** The document may name another address of the service, which this page cannot request. */
function relocate(text) {
  const [{ url }] = JSON.parse(text).servers
  const publicUrl = url.slice(0, url.lastIndexOf('/api/'))
  return text
    .replaceAll(`](${publicUrl}/docs`, `](${root}docs`)
    .replaceAll(`"url":"${url}"`, `"url":"${root}api/external/v1"`)
    .replaceAll(`"url":"${publicUrl || '/'}"`, `"url":"${location.origin}${root.slice(0, -1)}"`)
}

function parametersOf({ paths, components }) {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  return [...Object.values(components.parameters), ...operations.flatMap(({ parameters = [] }) => parameters)]
}
