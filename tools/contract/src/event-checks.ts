import { randomUUID } from 'node:crypto'
import { platformOf } from '@taproom/system'
import { type Answer, ask, expectProblem, expectStatus, objectOf } from './ask.ts'
import { type Check, expectThat, LeftOut } from './check.ts'
import type { Target } from './target.ts'

/** A type of its own, which no trigger is expected to select. */
const TYPE = 'dev.taproom.contract'
const BROKER = '/brokers/default/default'

/** What the ingress of the broker, and each sink, does with events and with what is none. */
export function eventChecks(target: Target): readonly Check[] {
  const { system } = target
  if (platformOf(system) === undefined) return []
  return [
    ...receiverChecks({ subject: 'broker', path: BROKER, accepted: [202] }, target),
    {
      subject: 'broker',
      name: 'POST /brokers/default/nobody is 404',
      run: async () => expectStatus(await send(target, '/brokers/default/nobody'), 404),
    },
    ...Object.keys(system.sinks).flatMap((name) =>
      receiverChecks(
        { subject: name, path: `/sinks/${name}`, accepted: [200, 201, 202, 204], mayRefuseType: true },
        target,
      ),
    ),
  ]
}

interface Receiver {
  readonly subject: string
  readonly path: string
  readonly accepted: readonly number[]
  /** True when 400 that names the type will do: a sink takes the types that it has handlers for. */
  readonly mayRefuseType?: boolean
}

function receiverChecks(
  { subject, path, accepted, mayRefuseType = false }: Receiver,
  target: Target,
): readonly Check[] {
  const expectTaken = (sent: Answer) => {
    const answer = reached(target, sent)
    if (mayRefuseType && answer.status === 400) return expectRefusedType(answer)
    expectStatus(answer, ...accepted)
  }
  return [
    {
      subject,
      name: `POST ${path} takes an event in binary mode`,
      run: async () => expectTaken(await send(target, path)),
    },
    {
      subject,
      name: `POST ${path} takes an event in structured mode`,
      run: async () => expectTaken(await sendStructured(target, path)),
    },
    {
      subject,
      name: `POST ${path} refuses an event without an id`,
      async run() {
        const answer = reached(target, await send(target, path, { 'Ce-Id': undefined }))
        if (target.apps === undefined) return expectStatus(answer, 400)
        expectProblem(answer, 400)
        expectThat(answer.text.includes('id'), 'the problem does not name it')
      },
    },
  ]
}

async function send(target: Target, path: string, headers: Record<string, string | undefined> = {}): Promise<Answer> {
  const all: Readonly<Record<string, string | undefined>> = {
    'Content-Type': 'application/json',
    'Ce-Specversion': '1.0',
    'Ce-Id': randomUUID(),
    'Ce-Type': TYPE,
    'Ce-Source': '/taproom/contract',
    ...headers,
  }
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return await ask(target.url + path, { method: 'POST', headers: given, body: '{}' })
}

async function sendStructured(target: Target, path: string): Promise<Answer> {
  const event = { specversion: '1.0', id: randomUUID(), type: TYPE, source: '/taproom/contract', data: {} }
  const headers = { 'Content-Type': 'application/cloudevents+json' }
  return await ask(target.url + path, { method: 'POST', headers, body: JSON.stringify(event) })
}

function expectRefusedType(answer: Answer): void {
  expectProblem(answer, 400)
  const { attribute, detail } = objectOf(answer)
  expectThat(attribute === 'type', `it is refused for another reason than its type: ${JSON.stringify(detail)}`)
}

/** Elsewhere there may be no route for events, by choice. */
function reached({ apps }: Target, answer: Answer): Answer {
  if (apps === undefined && answer.status === 404) throw new LeftOut('there is no route to it')
  return answer
}
