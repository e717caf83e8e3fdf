import type { BreakerView } from './breakers.ts'
import type { TopicLag } from './kafka.ts'

// Answers of the console's HTTP API; README.md lists the requests. Times are milliseconds since 1970, durations milliseconds, rates per
// second, over the last ten seconds.

/** `GET /api/system` */
export interface SystemView {
  readonly name: string
  /** The gateway's address. */
  readonly url: string
  readonly healthRootPath: string
  /** The resource API's address; undefined without an event platform. */
  readonly resourceApi?: string
  /** The broker's address; undefined in a system without Kafka. */
  readonly bootstrapServers?: string
  /** The variable by which traces go elsewhere or nowhere; undefined when they come here. */
  readonly tracesSetBy?: string
  /** Issuer of the tokens of `POST /api/tokens`; undefined where no development key signs. */
  readonly issuer?: string
  /** Declarations of `system.ts`: the paths of each app at the gateway, and the stand-ins that meet its needs. */
  readonly apps: readonly {
    readonly name: string
    readonly serves: readonly string[]
    readonly standIns: readonly string[]
  }[]
}

/** Kinds of nodes in the picture. */
export type NodeKind =
  | 'gateway'
  | 'service'
  | 'kafka'
  | 'topic'
  | 'broker'
  | 'trigger'
  | 'sink'
  | 'remote'
  | 'database'
  | 'outside'

export type NodeState = 'up' | 'down' | 'starting' | 'asleep' | 'unknown'

/** `id` is `KIND/NAME`, such as `service/orders` or `trigger/default/aloha`. */
export interface PictureNode {
  readonly id: string
  readonly kind: NodeKind
  readonly name: string
  readonly state: NodeState
  /** Why it is not up, in a few words. */
  readonly reason?: string
  /** Running instances of a sink. */
  readonly instances?: number
}

export interface PictureEdge {
  readonly from: string
  readonly to: string
  readonly kind: 'http' | 'produce' | 'consume' | 'event' | 'query'
  /** `failing`: something failed, or an end crashed, in the last ten seconds; `cut`: an end does not run. */
  readonly state: 'open' | 'failing' | 'cut'
  readonly rate: number
  /** No call was seen: `system.ts` or a trigger declares it. */
  readonly isDeclared?: true
  /** Failed calls among `rate`. */
  readonly errorRate: number
  readonly p95Ms?: number
  /** Records that a consumer has not read yet. */
  readonly lag?: Omit<TopicLag, 'topic'>
  /** Calls that failed or were not made, and that a fallback answered, per second. */
  readonly fallbackRate?: number
  /** The circuit breaker around the calls; `GET /api/breakers` has more of it. */
  readonly breaker?: Pick<BreakerView, 'name' | 'state' | 'retryAt'>
}

/** `GET /api/overview` */
export interface Overview {
  readonly nodes: readonly PictureNode[]
  readonly edges: readonly PictureEdge[]
}
