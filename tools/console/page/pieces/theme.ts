import { effect, signal } from '@preact/signals'

const KEY = 'taproom-theme'

export type Theme = 'auto' | 'light' | 'dark'
export const THEMES: readonly Theme[] = ['auto', 'light', 'dark']

export const theme = signal<Theme>(THEMES.find((name) => name === localStorage.getItem(KEY)) ?? 'auto')

const media = matchMedia('(prefers-color-scheme: dark)')
/** What the machine asks for. */
export const isDark = signal(media.matches)

export function followTheme(): void {
  media.addEventListener('change', () => {
    isDark.value = media.matches
  })
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value
    localStorage.setItem(KEY, theme.value)
  })
}
