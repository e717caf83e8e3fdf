import type { ServiceView } from '../../src/api/services.ts'
import { send } from '../api.ts'
import { Action } from '../pieces/action.tsx'

const ACTIONS = {
  start: ['Start', 'started'],
  restart: ['Restart', 'restarted'],
  stop: ['Stop', 'stopped'],
  kill: ['Kill', 'killed'],
} as const

interface ServiceActionProps {
  readonly service: Pick<ServiceView, 'name'>
  readonly action: keyof typeof ACTIONS
  readonly disabled?: boolean
}

export function ServiceAction({ service: { name }, action, disabled = false }: ServiceActionProps) {
  const [text, done] = ACTIONS[action]
  return (
    <Action
      run={() => send('POST', `/api/services/${encodeURIComponent(name)}/${action}`)}
      done={`${name} ${done}`}
      label={`${text} ${name}`}
      kind={action === 'kill' ? 'danger' : 'plain'}
      disabled={disabled}
      {...(action === 'kill' && { loses: 'Requests in progress are lost.' })}
    >
      {text}
    </Action>
  )
}
