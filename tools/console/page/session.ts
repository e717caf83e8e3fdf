import { signal } from '@preact/signals'

const KEY = 'taproom-session'

/** Whether this tab has the secret, without which the console answers nothing. */
export const hasSession = signal(false)

/** Takes the secret out of the fragment, so that it stays in no address bar, history or bookmark; it lives as long as the tab. */
export function takeSession(): void {
  const secret = new URLSearchParams(location.hash.slice(1)).get('session')
  if (secret !== null) {
    sessionStorage.setItem(KEY, secret)
    history.replaceState(null, '', `${location.pathname}${location.search}#/`)
  }
  hasSession.value = sessionSecret() !== null
}

export function sessionSecret(): string | null {
  return sessionStorage.getItem(KEY)
}
