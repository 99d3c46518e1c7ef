// Runs in the browser: draws the reference.

const [{ createApiReference }, api] = await Promise.all([
  import(document.getElementById('renderer').href),
  fetch('/openapi.json').then((answer) => answer.json()),
])

// The renderer sends whatever has an example. What is optional is not to be sent before somebody ticks it.
for (const parameter of parametersOf(api)) {
  if (parameter.required || parameter.$ref) continue
  parameter.examples = { default: { value: parameter.example, 'x-disabled': true } }
  delete parameter.example
}

createApiReference('#reference', {
  content: api,
  // It stands at the top of the page, as it is.
  documentDownloadType: 'none',
  generateOperationSlug: ({ operationId }) => operationId,

  // A key that was typed in is gone with the page.
  persistAuth: false,

  // What calls other hosts, or leads to what Scalar sells.
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,

  defaultOpenAllTags: true,
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  modelsSectionLabel: 'Schemas',
})

document.querySelector('.skip').addEventListener('click', (event) => {
  // Where the address points to is for the renderer to say.
  event.preventDefault()
  const main = document.querySelector('#reference main')
  main.tabIndex = -1
  main.focus()
})

function parametersOf({ paths, components }) {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  return [...Object.values(components.parameters), ...operations.flatMap(({ parameters = [] }) => parameters)]
}
