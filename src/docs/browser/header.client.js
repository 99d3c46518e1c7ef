// Runs in the browser on the pages of the documentation: the button and the keys that open the search.

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
