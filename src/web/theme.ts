// Runs before the first paint, from the head, as a classic script: it must stay free of imports.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme
} catch {
  // Storage is off: the system's theme it is.
}
