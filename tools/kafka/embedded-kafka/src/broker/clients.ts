/** A connected client. */
export interface Client {
  /** What it calls itself in its requests; '' until the first. */
  clientId: string
  /** Its address. */
  readonly host: string
  /** Closes its connection. */
  drop(): void
}

/** The clients that are connected now. */
export class Clients {
  readonly #all = new Set<Client>()

  get all(): readonly Client[] {
    return [...this.#all]
  }

  add(client: Client): void {
    this.#all.add(client)
  }

  delete(client: Client): void {
    this.#all.delete(client)
  }

  /** Closes the connections of clients with this id (default: of all), and returns how many. */
  drop(clientId?: string): number {
    const meant = this.all.filter((client) => clientId === undefined || client.clientId === clientId)
    for (const client of meant) client.drop()
    return meant.length
  }
}
