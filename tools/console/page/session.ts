import { signal } from '@preact/signals'

const KEY = 'taproom-session'
/** How long a tab without the secret waits for one of the others before it says how to get in. */
const ANSWER_MS = 500

/** True while this tab has the secret, without which the console answers nothing. */
export const hasSession = signal(false)

/** True while other tabs are asked for the secret. */
export const isAsking = signal(false)

/** The tabs of the console, which alone has this origin. */
const tabs = new BroadcastChannel(KEY)

type Message = 'secret?' | { readonly secret: string }

/** Takes the secret of other tabs where this one has none or an old one, and gives them its own. */
export function shareSession(): void {
  tabs.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const own = sessionSecret()
    if (data !== 'secret?') void takeOffered(data.secret)
    else if (own !== null) tell({ secret: own })
  })
  // A tab that could not answer before, or a console that did not, may answer now.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && !hasSession.value) askTabs()
  })
}

/**
 * Takes the secret out of the fragment, so that it stays in no address bar, history or bookmark; it lives as long as the tab. Without one,
 * asks the other tabs.
 */
export function takeSession(): void {
  const secret = new URLSearchParams(location.hash.slice(1)).get('session')
  if (secret !== null) {
    // A link of another site may have a wrong one, which must not take the place of a good one.
    if (sessionSecret() === null) keep(secret)
    else void takeOffered(secret)
    tell({ secret })
    history.replaceState(null, '', `${location.pathname}${location.search}#/`)
  }
  hasSession.value = sessionSecret() !== null
  if (!hasSession.value) askTabs()
}

export function sessionSecret(): string | null {
  return sessionStorage.getItem(KEY)
}

/** The console refused this secret: it is of an earlier start. */
export function dropSession(secret: string): void {
  if (sessionSecret() !== secret) return
  sessionStorage.removeItem(KEY)
  hasSession.value = false
  askTabs()
}

function askTabs(): void {
  if (isAsking.value) return
  isAsking.value = true
  tell('secret?')
  setTimeout(() => {
    isAsking.value = false
  }, ANSWER_MS)
}

/** A link of another site may have brought a wrong one: only what the console takes is kept. */
async function takeOffered(secret: string): Promise<void> {
  if (secret === sessionSecret()) return
  const headers = { authorization: `Bearer ${secret}` }
  const answer = await fetch('/api/system', { headers }).catch(() => undefined)
  if (answer?.ok === true) keep(secret)
}

function keep(secret: string): void {
  sessionStorage.setItem(KEY, secret)
  hasSession.value = true
}

function tell(message: Message): void {
  tabs.postMessage(message)
}
