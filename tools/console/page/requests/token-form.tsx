import type { Signal } from '@preact/signals'
import { send } from '../api.ts'
import { Action } from '../pieces/action.tsx'
import { Check, Field } from '../pieces/field.tsx'

export interface TokenChoice {
  readonly isSent: boolean
  readonly user: string
  /** Separated by commas. */
  readonly groups: string
}

export function groupsOf({ groups }: TokenChoice): string[] {
  return groups
    .split(',')
    .map((group) => group.trim())
    .filter((group) => group !== '')
}

/** The caller: the console makes a token with the development key for the request. */
export function TokenForm({ choice }: { choice: Signal<TokenChoice> }) {
  const { isSent, user, groups } = choice.value
  const set = (change: Partial<TokenChoice>) => {
    choice.value = { ...choice.value, ...change }
  }
  const copy = async () => {
    const { token } = await send<{ token: string }>('POST', '/api/tokens', { user, groups: groupsOf(choice.value) })
    await navigator.clipboard.writeText(token)
  }
  return (
    <fieldset class={isSent ? 'stack' : 'bare'}>
      <legend>
        <Check label="Send a token" checked={isSent} onChecked={(isWanted) => set({ isSent: isWanted })} />
      </legend>
      {isSent && (
        <div class="filters">
          <Field label="User" value={user} onValue={(text) => set({ user: text })} />
          <Field label="Groups" value={groups} onValue={(text) => set({ groups: text })} />
          <Action run={copy} done="token copied">
            Copy token
          </Action>
        </div>
      )}
    </fieldset>
  )
}
