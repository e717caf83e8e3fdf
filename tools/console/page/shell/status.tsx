import type { SystemView } from '../../src/api/system.ts'
import { type Connection, connection } from '../connection.ts'
import { THEMES, theme } from '../pieces/theme.ts'
import { hasSession } from '../session.ts'

const TEXTS: Readonly<Record<Connection, string>> = {
  updating: 'Updating',
  paused: 'Paused',
  lost: 'Connection lost, trying again',
}

export function Status({ system, onHelp }: { system: SystemView | undefined; onHelp: () => void }) {
  const state = connection.value
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto'
  return (
    <div class="status">
      {system !== undefined && (
        <a class="quiet gateway" href={system.url} target="_blank" rel="noreferrer">
          {system.url.replace(/^https?:\/\//, '')}
        </a>
      )}
      {hasSession.value && (
        <span class={`connection ${state}`} role="status">
          {TEXTS[state]}
        </span>
      )}
      <button
        type="button"
        class="quiet"
        onClick={() => {
          theme.value = next
        }}
        aria-label={`Colours: ${theme.value}; change to ${next}`}
      >
        {theme.value}
      </button>
      <button type="button" class="quiet" onClick={onHelp} aria-label="Keyboard shortcuts">
        ?
      </button>
    </div>
  )
}
