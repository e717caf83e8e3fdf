import type { Fault } from '../../src/api/requests.ts'
import type { ServiceView } from '../../src/api/services.ts'
import type { PictureNode } from '../../src/api/system.ts'
import { href } from '../address.ts'
import { send } from '../api.ts'
import { eventOf, TEMPLATES } from '../events/templates.ts'
import { MODES, setFault } from '../faults/modes.ts'
import { announce } from '../pieces/announce.ts'
import { THEMES, theme } from '../pieces/theme.ts'
import type { Find } from './ranked.ts'

export interface PageActions {
  readonly views: readonly { readonly view: string; readonly title: string }[]
  readonly onClose: () => void
  readonly onHelp: () => void
}

interface Known {
  readonly nodes: readonly PictureNode[]
  readonly services: readonly ServiceView[]
  readonly faults: readonly Fault[]
}

const KIND = 'action'

/**
 * The buttons of the view that is seen: the palette presses them, so that each says itself what came of it. Of buttons with the same name in
 * the same part of the view the first.
 */
export function viewActions({ onClose }: PageActions): readonly Find[] {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('main button:not(:disabled)')]
  const seen = buttons.filter((button) => button.checkVisibility() && button.closest('[role="listbox"]') === null)
  return seen.map((button) => {
    const name = nameOf(button)
    const detail = `in ${placeOf(button) ?? 'this view'}`
    const to = () => {
      onClose()
      button.focus()
      button.click()
    }
    return { id: `button/${name}/${detail}`, kind: KIND, name, detail, to }
  })
}

/** Name of the part of the view around a button. */
function placeOf(button: HTMLButtonElement): string | undefined {
  return button.closest('main [aria-label]:not(button)')?.getAttribute('aria-label') ?? undefined
}

function nameOf(button: HTMLButtonElement): string {
  return button.getAttribute('aria-label') ?? button.textContent?.trim() ?? ''
}

/** Lists actions of every view. */
export function actionsOf({ nodes, services, faults }: Known, { onClose, onHelp }: PageActions): readonly Find[] {
  return [
    ...greetings(nodes),
    ...faults.flatMap(faultActions),
    ...services.filter(({ kind }) => kind === 'app' || kind === 'stand-in').map(serviceAction),
    ...THEMES.map((one) => action(`Colours: ${one}`, () => (theme.value = one))),
    action('Keyboard shortcuts', () => {
      onClose()
      onHelp()
    }),
  ]
}

function greetings(nodes: readonly PictureNode[]): readonly Find[] {
  const broker = nodes.find(({ kind }) => kind === 'broker')?.id.replace(/^broker\//, '')
  if (broker === undefined) return []
  const run = async () => {
    const id = crypto.randomUUID()
    await send('POST', '/api/events', { broker, mode: 'binary', event: eventOf({ ...TEMPLATES.greeting, id }) })
    announce('greeting sent')
    location.hash = href('events', [], { id })
  }
  return [action('Send a greeting', run, `to the broker ${broker}`)]
}

function faultActions({ target, modes, mode }: Fault): readonly Find[] {
  const others = [...new Set<Fault['mode']>([...modes, 'none'])].filter((one) => one !== mode)
  return others.map((one) => {
    const [title, effect] = MODES[one]
    const run = async () => {
      await setFault(target, one)
      announce(`${target}: ${title}`)
      location.hash = href('break')
    }
    return action(`${target}: ${title}`, run, effect)
  })
}

function serviceAction({ name, state }: ServiceView): Find {
  const verb = state === 'stopped' ? 'start' : 'restart'
  const title = verb === 'start' ? 'Start' : 'Restart'
  const run = async () => {
    await send('POST', `/api/services/${encodeURIComponent(name)}/${verb}`)
    announce(`${name} ${verb}ed`)
  }
  return action(`${title} ${name}`, run)
}

function action(name: string, to: () => unknown, detail?: string): Find {
  return { id: `action/${name}`, kind: KIND, name, detail, to }
}
