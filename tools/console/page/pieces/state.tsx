const HEALTH: Readonly<Record<string, string>> = {
  up: 'up',
  UP: 'up',
  ready: 'up',
  True: 'up',
  Stable: 'up',
  delivered: 'up',
  down: 'down',
  DOWN: 'down',
  'not ready': 'down',
  waiting: 'down',
  False: 'down',
  Dead: 'down',
  starting: 'warn',
  restarting: 'warn',
  stopping: 'warn',
  PreparingRebalance: 'warn',
  CompletingRebalance: 'warn',
}

/** A dot in the colour of the state, and its name: colour alone is not accessible. */
export function State({ state, health = HEALTH[state] ?? 'rest' }: { state: string; health?: string }) {
  return <span class={`state ${health}`}>{state}</span>
}
