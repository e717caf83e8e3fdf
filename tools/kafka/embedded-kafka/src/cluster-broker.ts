import { pause } from '@taproom/core/time'
import { REGISTRY_LISTENER } from './broker/clients.ts'
import type { Cluster } from './broker/open-cluster.ts'
import { type ListenerAddress, type Listeners, type ListenOptions, listen } from './network/listener.ts'

const LISTEN_AGAIN_MS = 100

/** One broker of a running cluster. All its methods may be called at any time and wait for each other. */
export interface EmbeddedBroker {
  /** From 1 on, or from the property `node.id` on. */
  readonly nodeId: number
  readonly rack: string | null
  /** Of the first listener, as are `port` and `bootstrapServers`; the same again after each start. */
  readonly host: string
  readonly port: number
  readonly bootstrapServers: string
  readonly listeners: readonly ListenerAddress[]
  readonly isRunning: boolean
  /** Ends it in order: what it leads goes to others first. Does nothing when it does not run. */
  stop(): Promise<void>
  /**
   * Ends it as a kill would: connections break, and records that no other broker has copied yet are with this one only. Does nothing when
   * it does not run.
   */
  kill(): Promise<void>
  /**
   * Starts it again with the records it had; it copies what it missed. Does nothing when it runs.
   * @throws {ListenError} when its port is taken meanwhile
   */
  start(): Promise<void>
}

export interface ClusterBroker extends EmbeddedBroker {
  /** Ends it for good: connections first. */
  close(): Promise<void>
}

/** The listeners of a broker that runs. A rule that has it away closes those for clients only. */
interface Running {
  readonly forClients: Listeners
  readonly forRegistry: Listeners
}

function listenForClients(options: ListenOptions): Promise<Listeners> {
  return listen({ ...options, plans: options.plans.filter(({ name }) => name !== REGISTRY_LISTENER) })
}

async function listenForAll(options: ListenOptions): Promise<Running> {
  const forClients = await listenForClients(options)
  try {
    const plans = options.plans.filter(({ name }) => name === REGISTRY_LISTENER)
    return { forClients, forRegistry: await listen({ ...options, plans }) }
  } catch (error) {
    await forClients.close()
    throw error
  }
}

async function closeAll({ forClients, forRegistry }: Running): Promise<void> {
  await Promise.all([forClients.close(), forRegistry.close()])
}

/**
 * Listens for the clients of one broker.
 * @throws {ListenError} when an address is taken or not of this machine
 */
export async function startBroker(cluster: Cluster, options: ListenOptions): Promise<ClusterBroker> {
  const { broker, onError } = options
  const { nodeId, faults } = broker
  let isClosed = false
  /** By a rule that has the broker away. */
  let isShut = false
  let running: Running | undefined = await listenForAll(options)
  const addresses = [...running.forClients.addresses, ...running.forRegistry.addresses]
  const portOf = (listener: string) => addresses.find(({ name }) => name === listener)?.port
  // The same ports again: clients know them.
  const plans = options.plans.map((plan) => ({ ...plan, port: portOf(plan.name) ?? plan.port }))
  const ports = new Map(plans.map(({ name, port, advertised }) => [name, advertised.port ?? port]))
  cluster.nodes.setPorts(nodeId, ports)
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
  const end = (isKilled: boolean): Promise<void> =>
    inTurn(async () => {
      const listeners = running
      if (!listeners) return
      running = undefined
      cluster.goDown(nodeId, { isKilled })
      await closeAll(listeners)
    })
  // A broker that clients cannot reach keeps running and keeps its leaderships: `kill` and `stop` move them.
  const followFault = async (): Promise<void> => {
    if (!running) return
    if (faults.isAway(nodeId)) {
      isShut = true
      await running.forClients.close()
    }
    if (!isShut || isClosed || faults.isAway(nodeId)) return
    try {
      running = { ...running, forClients: await listenForClients({ ...options, plans }) }
      isShut = false
    } catch (error) {
      // Another process has the port for a moment. Calls that wait for their turn come first.
      onError(error, host)
      void pause(LISTEN_AGAIN_MS).then(() => inTurn(followFault))
    }
  }
  const watching = faults.watchAway(() => void inTurn(followFault))
  const [{ host, port, bootstrapServers }] = addresses as unknown as readonly [ListenerAddress]
  return {
    nodeId,
    rack: cluster.nodes.find(nodeId)?.rack ?? null,
    host,
    port,
    bootstrapServers,
    listeners: addresses,
    get isRunning() {
      return running !== undefined
    },
    stop: () => end(false),
    kill: () => end(true),
    start: () =>
      inTurn(async () => {
        if (running) return
        const listeners = await listenForAll({ ...options, plans })
        try {
          cluster.comeUp(nodeId)
        } catch (error) {
          cluster.goDown(nodeId, { isKilled: true })
          await closeAll(listeners)
          throw error
        }
        cluster.nodes.setPorts(nodeId, ports)
        running = listeners
        isShut = false
        await followFault()
      }),
    close() {
      isClosed = true
      watching[Symbol.dispose]()
      return inTurn(async () => {
        if (running) await closeAll(running)
        running = undefined
      })
    },
  }
}
