/**
 * The listener for the schema registry that the command runs beside its broker. Faults are for the clients under test: rules, the list of
 * clients and dropped connections leave out who connects here.
 */
export const REGISTRY_LISTENER = 'EMBEDDED_SCHEMA_REGISTRY'

/** A connected client. */
export interface Client {
  /** What it calls itself in its requests; '' until the first. */
  clientId: string
  /** Its address. */
  readonly host: string
  /** The name of the listener that it has reached. */
  readonly listener: string
  /** The broker that it is connected to. */
  readonly nodeId: number
  /** Closes its connection. */
  drop(): void
}

/** The clients that are connected now, that of the registry left out. */
export class Clients {
  readonly #all = new Set<Client>()

  get all(): readonly Client[] {
    return [...this.#all]
  }

  add(client: Client): void {
    if (client.listener !== REGISTRY_LISTENER) this.#all.add(client)
  }

  delete(client: Client): void {
    this.#all.delete(client)
  }

  /** Closes connections: of clients with this id, to this broker, or all. Returns how many. */
  drop({ clientId, nodeId }: { readonly clientId?: string | undefined; readonly nodeId?: number | undefined }): number {
    const meant = this.all.filter(
      (client) => (clientId ?? client.clientId) === client.clientId && (nodeId ?? client.nodeId) === client.nodeId,
    )
    for (const client of meant) client.drop()
    return meant.length
  }
}
