// Runs in the browser on every guide: the address of the service and the language of the examples, and the buttons that
// copy code.

const root = document.documentElement

// This file is in the folder docs of the service, whatever prefix a proxy adds to the path.
const address = new URL('..', import.meta.url).href.replace(/\/$/, '')
for (const place of document.querySelectorAll('[data-address]')) place.textContent = address

const languageButtons = document.querySelectorAll('.languages button')

function showLanguage(language) {
  root.dataset.language = language
  for (const button of languageButtons) button.setAttribute('aria-pressed', button.dataset.language === language)
}
showLanguage(root.dataset.language)

for (const button of languageButtons) {
  button.addEventListener('click', () => {
    const { language } = button.dataset
    // The examples above can have another height in this language. The button stays where it is.
    const before = button.getBoundingClientRect().top
    showLanguage(language)
    scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' })
    try {
      localStorage.setItem('workgate-language', language)
    } catch {
      // Without storage, the language lasts until the next page.
    }
  })
}

const announcements = document.createElement('p')
announcements.className = 'announcements'
announcements.setAttribute('role', 'status')
document.body.append(announcements)

const drawIcon = (path) => `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`
const copyIcon = drawIcon('M9 9h11v11H9zM5 15H4V4h11v1')
const doneIcon = drawIcon('M5 12.5 10 17.5 19.5 7')

for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.title = 'Copy'
  button.setAttribute('aria-label', 'Copy the code')
  button.innerHTML = copyIcon
  button.addEventListener('click', async () => {
    const isCopied = await copy(block.querySelector('code'))
    announcements.textContent = isCopied ? 'Copied' : 'The code is selected. Copy it with the keyboard.'
    button.innerHTML = isCopied ? doneIcon : copyIcon
    setTimeout(() => (button.innerHTML = copyIcon), 2000)
  })
  block.append(button)
}

/** Browsers without permission, or on a page without TLS, offer only the older command, and some not even that. */
async function copy(code) {
  try {
    await navigator.clipboard.writeText(code.textContent)
    return true
  } catch {
    getSelection().selectAllChildren(code)
    return document.execCommand('copy')
  }
}
