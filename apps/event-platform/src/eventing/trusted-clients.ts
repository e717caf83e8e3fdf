import { createSecureContext, getCACertificates } from 'node:tls'
import { HttpClient } from '@taproom/http'
import { certificatesIn } from '../resources/ca-certs.ts'

/** A context has all of Node's roots, which take 1.4 MB, and 30 ms to read. */
const MOST_CLIENTS = 32
/** To one address, as without certificates of its own. */
const MOST_CONNECTIONS = 1024

/**
 * Clients for https that trust further certification authorities beside those that Node trusts (`NODE_EXTRA_CA_CERTS` included). One for
 * each text of certificates, at most 32; the one unused longest is made anew when it is needed again.
 */
export class TrustedClients implements Disposable {
  /** The one used last comes last. */
  readonly #clients = new Map<string, HttpClient>()

  /** `caCerts`: certificates in PEM. */
  of(caCerts: string): HttpClient {
    const known = this.#clients.get(caCerts)
    if (known !== undefined) this.#clients.delete(caCerts)
    const client = known ?? createClient(caCerts)
    this.#clients.set(caCerts, client)
    const [oldest] = this.#clients.keys()
    // Not closed, as it may have requests under way; its idle connections close by themselves.
    if (this.#clients.size > MOST_CLIENTS && oldest !== undefined) this.#clients.delete(oldest)
    return client
  }

  /** Closes their connections. */
  [Symbol.dispose](): void {
    for (const client of this.#clients.values()) client[Symbol.dispose]()
    this.#clients.clear()
  }
}

function createClient(caCerts: string): HttpClient {
  // Read once: as `ca` of each connection they would be read again.
  const secureContext = createSecureContext({ ca: [...getCACertificates('default'), ...certificatesIn(caCerts)] })
  return new HttpClient({ secureContext, maxConnections: MOST_CONNECTIONS })
}
