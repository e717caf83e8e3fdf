import type { Writable } from 'node:stream'
import type { KafkaClient, OutgoingChannel, TopicAdmin } from '@taproom/messaging'
import type { Logger } from '@taproom/service'
import type { Config } from './config.ts'
import { Controller } from './control/controller.ts'
import { CreatedGroups } from './control/created-groups.ts'
import { logReadiness } from './control/readiness-log.ts'
import { triggerGroup } from './control/trigger-reconciler.ts'
import { BrokerAccess } from './eventing/broker-access.ts'
import { createBrokerReaders } from './eventing/broker-readers.ts'
import { Brokers } from './eventing/brokers.ts'
import { createSender } from './eventing/sender.ts'
import { type DeliveryListener, openSubscription } from './eventing/subscription.ts'
import { TrustedClients } from './eventing/trusted-clients.ts'
import { triggerSubject } from './identity/service-account.ts'
import { openSigningKey } from './identity/signing-key.ts'
import { TokenIssuer } from './identity/token-issuer.ts'
import { openManifestFolder } from './manifests/manifest-folder.ts'
import { ManifestSet } from './manifests/manifest-set.ts'
import { openResourceFile, type ResourceFile } from './manifests/resource-file.ts'
import type { NamespacedName } from './resources/object.ts'
import { ResourceStore } from './resources/resource-store.ts'
import { createServiceProxy } from './serving/service-proxy.ts'
import { Serving } from './serving/serving.ts'

export type Platform = Awaited<ReturnType<typeof startPlatform>>

export interface PlatformDeps {
  readonly config: Pick<
    Config,
    'kafka' | 'manifests' | 'resourcesFile' | 'serving' | 'ingress' | 'delivery' | 'oidc' | 'authorization'
  >
  readonly kafka: KafkaClient
  readonly topics: TopicAdmin
  readonly outgoing: OutgoingChannel
  readonly log: Logger
  /** Gets the sinks' lines. */
  readonly output: Writable
}

/** Time for an instance to end after SIGTERM. */
const STOP_GRACE_MS = 5000

/**
 * Starts the platform from its manifests; Kafka may come later.
 *
 * @throws {ConfigError} when manifests cannot be read
 * @throws {ResourceFileError} when kept resources cannot be read
 * @throws {KeyFileError} when the signing key cannot be read or made
 */
export async function startPlatform(deps: PlatformDeps) {
  const { config, kafka, topics, outgoing, log, output } = deps
  await using opened = new AsyncDisposableStack()
  const store = new ResourceStore({ log })
  store.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }, { isOfFile: true })
  const set = opened.use(await openManifestSet(store, config.resourcesFile, log))
  const manifests = opened.use(await openManifestFolder({ folder: config.manifests, set: set.manifests, log }))

  opened.use(logReadiness({ store, log }))
  const limits = { ...config.serving, stopGraceMs: STOP_GRACE_MS }
  const serving = opened.use(new Serving({ ...config.serving, limits, output, log }))
  const proxy = opened.use(createServiceProxy(serving))
  const { issuers, mode } = config.authorization
  const access = issuers.length > 0 ? new BrokerAccess(mode) : undefined
  const brokers = new Brokers({ outgoing, ...config.ingress, access })
  const clients = opened.use(new TrustedClients())
  const tokens = new TokenIssuer({ issuer: config.oidc.issuer, key: await openSigningKey(config.oidc.keyFile) })
  const senderOf = (trigger: NamespacedName) => {
    const subject = triggerSubject(trigger)
    return createSender({ brokers, serving, clients, subject, tokenFor: (audience) => tokens.token(subject, audience) })
  }
  const openReader = createBrokerReaders(kafka)
  const listeners: DeliveryListener[] = []
  const onEnd: DeliveryListener = (delivery) => {
    for (const listener of listeners) listener(delivery)
  }
  const controller = opened.use(
    new Controller({
      store,
      serving,
      brokers,
      access,
      topics,
      partitions: config.kafka.partitions,
      areTriggersComplete: manifests.problems.length === 0,
      createdGroups: set.createdGroups,
      sessionTimeoutMs: config.kafka.sessionTimeoutMs,
      subscribe: ({ isOrdered, ...subscription }) =>
        openSubscription({
          ...subscription,
          concurrency: isOrdered ? 1 : config.delivery.concurrency,
          reader: openReader(subscription.topic),
          send: senderOf(subscription.trigger),
          onEnd,
          log,
        }),
      log,
    }),
  )
  const resources = opened.move()
  return {
    store,
    /** Where the objects are kept over a restart; undefined: nowhere. */
    kept: set.kept,
    brokers,
    serving,
    proxy,
    controller,
    manifests,
    tokens,
    /** Who may send to brokers; undefined: everyone. */
    access,
    /** Calls the listener for each event that a trigger is done with. */
    watchDeliveries: (listener: DeliveryListener) => void listeners.push(listener),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Restores manifests and groups when resources are kept in a file. */
async function openManifestSet(store: ResourceStore, path: string | undefined, log: Logger) {
  const opened = new AsyncDisposableStack()
  let manifests = new ManifestSet(store)
  let createdGroups = new CreatedGroups()
  let kept: ResourceFile | undefined
  if (path !== undefined) {
    const applied = () => manifests.applied
    const groups = () => createdGroups.ids
    kept = opened.use(await openResourceFile({ path, store, applied, groups, log }))
    manifests = new ManifestSet(store, kept.applied)
    createdGroups = new CreatedGroups(groupsOf(store, kept), kept.save)
  }
  return { manifests, createdGroups, kept, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Older files name triggers only. A refused trigger was not deleted, so its group stays. */
function groupsOf(store: ResourceStore, { groups, refused }: ResourceFile): ReadonlySet<string> {
  const own = new Set(groups ?? store.list('Trigger').map(triggerGroup))
  return own.difference(new Set(refused.filter(({ kind }) => kind === 'Trigger').map(triggerGroup)))
}
