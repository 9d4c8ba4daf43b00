// Sets the colour scheme before the first paint: the stored choice, else the system's. CSP forbids inline scripts.
const chosen = localStorage.getItem('mantine-color-scheme-value')
const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')

// A form that is sent before the client has started is sent by the client once it has (client/app/typed.ts).
addEventListener('submit', ({ target }) => target instanceof Element && target.setAttribute('data-sent', ''), {
  capture: true,
})
