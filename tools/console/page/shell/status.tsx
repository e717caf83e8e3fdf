import type { SystemView } from '../../src/api/system.ts'
import { type Connection, connection } from '../live.ts'
import { THEMES, theme } from '../pieces/theme.ts'

const TELLS: Readonly<Record<Connection, string>> = {
  none: 'Connected',
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connection lost, trying again',
  paused: 'Paused',
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
      <span class={`live ${state}`} role="status">
        {state === 'none' && system === undefined ? 'Not connected' : TELLS[state]}
      </span>
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
