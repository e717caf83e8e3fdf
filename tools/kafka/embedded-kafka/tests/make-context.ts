import type { RequestContext } from '../src/apis/definition/api.ts'
import type { Broker } from '../src/broker/broker.ts'
import { ClientSession } from '../src/security/session.ts'

/** Of a request of a client that everything is allowed. */
export function makeContext(broker: Broker, version: number, more: Partial<RequestContext> = {}): RequestContext {
  return {
    broker,
    version,
    clientId: '',
    clientHost: '',
    listener: 'PLAINTEXT',
    session: new ClientSession(),
    address: { host: 'localhost', port: 1 },
    signal: new AbortController().signal,
    ...more,
  }
}
