import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button } from './button.tsx'

type Theme = 'light' | 'dark'

const systemIsDark = matchMedia('(prefers-color-scheme: dark)')
const systemTheme = (): Theme => (systemIsDark.matches ? 'dark' : 'light')
const chosenTheme = (): string | undefined => document.documentElement.dataset['theme']
const themeNow = (): Theme => (chosenTheme() ?? systemTheme()) as Theme

/** Going back to what the system has also means to follow it again. */
const choose = (theme: Theme): void => {
  const followsSystem = theme === systemTheme()
  if (followsSystem) delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  try {
    if (followsSystem) localStorage.removeItem('theme')
    else localStorage.setItem('theme', theme)
  } catch {
    // Storage is off: the choice lasts for this page.
  }
}

/** Light or dark, kept in this browser. */
export const ThemeToggle = (): JSX.Element => {
  const [theme, setTheme] = useState(themeNow)
  useEffect(() => {
    const follow = (): void => setTheme(themeNow())
    systemIsDark.addEventListener('change', follow)
    return () => systemIsDark.removeEventListener('change', follow)
  }, [])
  const other: Theme = theme === 'dark' ? 'light' : 'dark'
  return (
    <Button
      tone="quiet"
      icon={other === 'dark' ? 'moon' : 'sun'}
      aria-label={`Switch to the ${other} theme`}
      onClick={() => {
        choose(other)
        setTheme(other)
      }}
    />
  )
}
