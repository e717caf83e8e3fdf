/** A broker of the cluster. */
export interface Node {
  readonly id: number
  readonly rack: string | null
  readonly isLive: boolean
  /** Where its listeners are reached, by their names; none before it listens, and the same when it comes back. */
  readonly ports: ReadonlyMap<string, number>
}

/** Of a cluster in one process. */
export const MAX_BROKERS = 9

const NO_PORTS: ReadonlyMap<string, number> = new Map()

/** The id of the first broker where no property names another. */
export const FIRST_NODE_ID = 1

/** The brokers there are, numbered in a row, and which of them live. */
export class Nodes {
  readonly #nodes: Node[]
  readonly firstId: number

  /** One for each rack; all live, and listen nowhere yet. */
  constructor(racks: readonly (string | null)[] = [null], firstId = FIRST_NODE_ID) {
    this.firstId = firstId
    this.#nodes = racks.map((rack, index) => ({ id: firstId + index, rack, isLive: true, ports: NO_PORTS }))
  }

  get all(): readonly Node[] {
    return this.#nodes
  }

  get live(): readonly Node[] {
    return this.#nodes.filter(({ isLive }) => isLive)
  }

  find(id: number): Node | undefined {
    return this.#nodes[id - this.firstId]
  }

  isLive(id: number): boolean {
    return this.find(id)?.isLive ?? false
  }

  /** The broker that clients are told as the controller, -1 while none lives. */
  get controllerId(): number {
    return this.#nodes.find(({ isLive }) => isLive)?.id ?? -1
  }

  /** How many replicas a topic has that is created without a number, as Apache Kafka's images and installers set it. */
  get defaultFactor(): number {
    return Math.min(3, this.#nodes.length)
  }

  setLive(id: number, isLive: boolean): void {
    this.#change(id, { isLive })
  }

  setPorts(id: number, ports: ReadonlyMap<string, number>): void {
    this.#change(id, { ports })
  }

  #change(id: number, change: Partial<Node>): void {
    const node = this.find(id)
    if (node) this.#nodes[id - this.firstId] = { ...node, ...change }
  }
}
