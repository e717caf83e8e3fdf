import { Agent } from 'node:https'
import { createSecureContext, getCACertificates } from 'node:tls'
import { certificatesIn } from '../resources/ca-certs.ts'

/** A context has all of Node's roots, which take 1.4 MB, and 30 ms to read. */
const MOST_AGENTS = 32
/** Of an idle connection, as with Node's global agent. */
const IDLE_MS = 5000

/**
 * Agents for https that trust further certification authorities beside those that Node trusts (`NODE_EXTRA_CA_CERTS` included). One for
 * each text of certificates, at most 32; the one unused longest is made anew when it is needed again.
 */
export class TrustedAgents implements Disposable {
  /** The one used last comes last. */
  readonly #agents = new Map<string, Agent>()

  /** `caCerts`: certificates in PEM. */
  of(caCerts: string): Agent {
    const known = this.#agents.get(caCerts)
    if (known !== undefined) this.#agents.delete(caCerts)
    const agent = known ?? createAgent(caCerts)
    this.#agents.set(caCerts, agent)
    const [oldest] = this.#agents.keys()
    // Not destroyed, as it may have requests under way; its idle connections close by themselves.
    if (this.#agents.size > MOST_AGENTS && oldest !== undefined) this.#agents.delete(oldest)
    return agent
  }

  /** Closes their connections. */
  [Symbol.dispose](): void {
    for (const agent of this.#agents.values()) agent.destroy()
    this.#agents.clear()
  }
}

function createAgent(caCerts: string): Agent {
  // Read once: as `ca` of the agent they would be read again for every connection.
  const secureContext = createSecureContext({ ca: [...getCACertificates('default'), ...certificatesIn(caCerts)] })
  return new Agent({ keepAlive: true, scheduling: 'lifo', timeout: IDLE_MS, secureContext })
}
