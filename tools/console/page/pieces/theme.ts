import { effect, signal } from '@preact/signals'

const KEY = 'taproom-theme'

export type Theme = 'auto' | 'light' | 'dark'
export const THEMES: readonly Theme[] = ['auto', 'light', 'dark']

export const theme = signal<Theme>(THEMES.find((name) => name === localStorage.getItem(KEY)) ?? 'auto')

export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value
    localStorage.setItem(KEY, theme.value)
  })
}
