// Runs in the browser before a page is drawn: applies the remembered theme and language of the examples.

function applyPreferences() {
  const { dataset } = document.documentElement
  const theme = remembered('colorMode')
  if (theme === 'light' || theme === 'dark') dataset.theme = theme
  else delete dataset.theme
  const language = remembered('workgate-language')
  dataset.language = ['js', 'python'].includes(language) ? language : 'sh'
}

/** The renderer of the reference reads the theme under the same name. */
function remembered(name) {
  try {
    return localStorage.getItem(name)
  } catch {
    // The browser may forbid storage. Choices then last until the next page.
    return null
  }
}

applyPreferences()
addEventListener('storage', applyPreferences)
// The browser may have kept the page from before the last choice.
addEventListener('pageshow', ({ persisted }) => persisted && applyPreferences())
