// Runs in the browser and renders the reference.

const [{ createApiReference }, api] = await Promise.all([
  import(document.getElementById('renderer').href),
  fetch('/openapi.json').then((response) => response.json()),
])

// The renderer sends every parameter that has an example. Optional ones are disabled until the user ticks them.
for (const parameter of parametersOf(api)) {
  if (parameter.required || parameter.$ref) continue
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

  defaultOpenAllTags: true,
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  modelsSectionLabel: 'Schemas',
})

document.querySelector('.skip').addEventListener('click', (event) => {
  // The renderer uses the fragment of the URL for its own navigation.
  event.preventDefault()
  const main = document.querySelector('#reference main')
  main.tabIndex = -1
  main.focus()
})

function parametersOf({ paths, components }) {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  return [...Object.values(components.parameters), ...operations.flatMap(({ parameters = [] }) => parameters)]
}
