// Runs in the browser: draws the reference.

const { createApiReference } = await import(document.getElementById('renderer').href)

createApiReference('#reference', {
  url: '/openapi.json',
  documentDownloadType: 'direct',
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
