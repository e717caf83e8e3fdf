import { startHttpServer } from '../http-server.ts'
import { create, createTrigger, type FaultySystem, type SystemFault, sendThrough } from './faulty-system.ts'

const SERVING = 'serving.knative.dev/v1'
const subscriber = (name: string) => ({ ref: { apiVersion: SERVING, kind: 'Service', name } })
const matching = (type: string) => ({ attributes: { type } })

/** Faults of triggers and of what they deliver to. */
export const eventFaults: readonly SystemFault[] = [
  {
    name: 'filter typo',
    part: 'trigger/default/mistyped',
    problem: /^trigger mistyped: typo: .*the filter requires type "greting"; nearest type seen: greeting$/,
    async make(system) {
      await createTrigger(system, 'mistyped', {
        ...{ filter: matching('greting'), subscriber: subscriber('eventingaloha') },
      })
      await sendThrough(system, 'mistyped', 'greeting')
    },
  },
  {
    name: 'filter attribute typo',
    part: 'trigger/default/misnamed',
    problem: /^trigger misnamed: typo: .*no event has the attribute "tpye"; did you mean type\?$/,
    async make(system) {
      await createTrigger(system, 'misnamed', {
        ...{ filters: [{ exact: { tpye: 'greeting' } }], subscriber: subscriber('eventingaloha') },
      })
      await sendThrough(system, 'misnamed', 'greeting')
    },
  },
  {
    name: 'missing subscriber',
    part: 'trigger/default/alone',
    problem: /^trigger alone: subscriber Service eventingalhoa does not exist; did you mean eventingaloha\?$/,
    make: (system) => createTrigger(system, 'alone', { subscriber: subscriber('eventingalhoa') }),
  },
  {
    name: 'wrong broker',
    part: 'trigger/default/misled',
    problem: /^trigger misled: broker "defualt" does not exist; did you mean default\?$/,
    make: (system) => createTrigger(system, 'misled', { broker: 'defualt', subscriber: subscriber('eventingaloha') }),
  },
  {
    name: 'crashing sink',
    part: 'sink/default/crashing',
    problem: /^sink default\/crashing: crash: \d+ starts? failed: LOG_LEVEL="loud": expected /,
    async make(system) {
      const containers = [{ image: 'event-sinks', args: ['aloha-sink'], env: [{ name: 'LOG_LEVEL', value: 'loud' }] }]
      await create(system, SERVING, { kind: 'Service', name: 'crashing', spec: { template: { spec: { containers } } } })
      await deliver(system, 'crashed', { subscriber: subscriber('crashing') })
    },
  },
  {
    name: 'slow sink',
    part: 'trigger/default/slow',
    problem: /^trigger slow: the subscriber is slow: 1 delivery waits for an answer, the oldest for \d/,
    async make(system, opened) {
      const { url } = opened.use(await startHttpServer(() => undefined))
      await deliver(system, 'slow', { subscriber: { uri: url } })
    },
  },
]

/** Creates a trigger with a type of its own, and sends an event of it. */
async function deliver(system: FaultySystem, name: string, spec: object): Promise<void> {
  const type = `to-${name}`
  await createTrigger(system, name, { filter: matching(type), ...spec })
  await sendThrough(system, name, type)
}
