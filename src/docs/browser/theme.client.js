// Runs in the browser on every page: the switch of the theme.

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
