// Runs in the browser on every page: the switch of the theme, and the keys that open the search.

const root = document.documentElement
const themes = ['system', 'light', 'dark']
const themeButton = document.querySelector('.theme')
const currentTheme = () => root.dataset.theme ?? 'system'
const nextTheme = () => themes[(themes.indexOf(currentTheme()) + 1) % themes.length]

themeButton.addEventListener('click', () => {
  const theme = nextTheme()
  if (theme === 'system') delete root.dataset.theme
  else root.dataset.theme = theme
  try {
    localStorage.setItem('colorMode', theme)
  } catch {
    // Without storage, the theme lasts until the next page.
  }
})

function labelTheme() {
  const label = `Theme: ${currentTheme()}. Switch to ${nextTheme()}`
  themeButton.setAttribute('aria-label', label)
  themeButton.title = label
}
labelTheme()
new MutationObserver(labelTheme).observe(root, { attributeFilter: ['data-theme'] })

const searchDialog = document.querySelector('dialog.search')

/** The dialog opens before its script has loaded, so that no typed character is lost. */
async function openSearch() {
  if (!searchDialog.open) searchDialog.showModal()
  searchDialog.querySelector('input').select()
  const { loadIndex } = await import('./search.js')
  await loadIndex()
}

document.querySelector('.find').addEventListener('click', openSearch)
addEventListener('keydown', (event) => {
  const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey
  const isControlK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
  const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]:not([contenteditable=false])')
  if (isControlK || (isSlash && !isTyping)) {
    event.preventDefault()
    openSearch()
  }
})
