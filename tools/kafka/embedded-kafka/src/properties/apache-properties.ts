import type { SettingType } from '../settings/setting-type.ts'

/** The broker's properties in Apache Kafka 4.1 by their types: those of `KafkaConfig` that are not internal, and of `StandardAuthorizer`. */
const NAMES: Readonly<Record<SettingType | 'password' | 'class', string>> = {
  boolean: `
    allow.everyone.if.no.acl.found
    auto.create.topics.enable auto.leader.rebalance.enable controlled.shutdown.enable delete.topic.enable log.cleaner.enable
    log.preallocate remote.log.storage.system.enable sasl.oauthbearer.assertion.claim.jti.include ssl.allow.dn.changes
    ssl.allow.san.changes transaction.partition.verification.enable transaction.two.phase.commit.enable unclean.leader.election.enable
  `,
  int: `
    add.partitions.to.txn.retry.backoff.max.ms add.partitions.to.txn.retry.backoff.ms alter.log.dirs.replication.quota.window.num
    alter.log.dirs.replication.quota.window.size.seconds background.threads broker.heartbeat.interval.ms broker.id
    broker.session.timeout.ms compression.gzip.level compression.lz4.level compression.zstd.level
    connection.failed.authentication.delay.ms controller.quorum.append.linger.ms controller.quorum.election.backoff.max.ms
    controller.quorum.election.timeout.ms controller.quorum.fetch.timeout.ms controller.quorum.request.timeout.ms
    controller.quorum.retry.backoff.ms controller.quota.window.num controller.quota.window.size.seconds controller.socket.timeout.ms
    default.replication.factor delete.records.purgatory.purge.interval.requests fetch.max.bytes fetch.purgatory.purge.interval.requests
    group.consumer.heartbeat.interval.ms group.consumer.max.heartbeat.interval.ms group.consumer.max.session.timeout.ms
    group.consumer.max.size group.consumer.min.heartbeat.interval.ms group.consumer.min.session.timeout.ms
    group.consumer.session.timeout.ms group.coordinator.append.linger.ms group.coordinator.threads group.initial.rebalance.delay.ms
    group.max.session.timeout.ms group.max.size group.min.session.timeout.ms group.share.delivery.count.limit
    group.share.heartbeat.interval.ms group.share.max.heartbeat.interval.ms group.share.max.record.lock.duration.ms
    group.share.max.session.timeout.ms group.share.max.share.sessions group.share.max.size group.share.min.heartbeat.interval.ms
    group.share.min.record.lock.duration.ms group.share.min.session.timeout.ms group.share.partition.max.record.locks
    group.share.record.lock.duration.ms group.share.session.timeout.ms group.streams.heartbeat.interval.ms
    group.streams.max.heartbeat.interval.ms group.streams.max.session.timeout.ms group.streams.max.size
    group.streams.max.standby.replicas group.streams.min.heartbeat.interval.ms group.streams.min.session.timeout.ms
    group.streams.num.standby.replicas group.streams.session.timeout.ms initial.broker.registration.timeout.ms
    kafka.metrics.polling.interval.secs log.cleaner.io.buffer.size log.cleaner.threads log.flush.offset.checkpoint.interval.ms
    log.flush.start.offset.checkpoint.interval.ms log.index.interval.bytes log.index.size.max.bytes log.retention.hours
    log.retention.minutes log.roll.hours log.roll.jitter.hours log.segment.bytes max.connection.creation.rate max.connections
    max.connections.per.ip max.incremental.fetch.session.cache.slots max.request.partition.size.limit message.max.bytes
    metadata.log.segment.bytes metadata.max.idle.interval.ms metrics.num.samples min.insync.replicas node.id num.io.threads
    num.network.threads num.partitions num.recovery.threads.per.data.dir num.replica.alter.log.dirs.threads num.replica.fetchers
    offset.metadata.max.bytes offsets.commit.timeout.ms offsets.load.buffer.size offsets.retention.minutes
    offsets.topic.compression.codec offsets.topic.num.partitions offsets.topic.segment.bytes producer.id.expiration.ms
    producer.purgatory.purge.interval.requests queued.max.requests quota.window.num quota.window.size.seconds remote.fetch.max.wait.ms
    remote.log.manager.copier.thread.pool.size remote.log.manager.copy.quota.window.num
    remote.log.manager.copy.quota.window.size.seconds remote.log.manager.expiration.thread.pool.size
    remote.log.manager.fetch.quota.window.num remote.log.manager.fetch.quota.window.size.seconds remote.log.manager.thread.pool.size
    remote.log.metadata.custom.metadata.max.bytes remote.log.reader.max.pending.tasks remote.log.reader.threads replica.fetch.backoff.ms
    replica.fetch.max.bytes replica.fetch.min.bytes replica.fetch.response.max.bytes replica.fetch.wait.max.ms
    replica.socket.receive.buffer.bytes replica.socket.timeout.ms replication.quota.window.num replication.quota.window.size.seconds
    request.timeout.ms sasl.login.connect.timeout.ms sasl.login.read.timeout.ms sasl.oauthbearer.assertion.claim.exp.seconds
    sasl.oauthbearer.assertion.claim.nbf.seconds sasl.oauthbearer.clock.skew.seconds sasl.server.max.receive.size
    share.coordinator.append.linger.ms share.coordinator.load.buffer.size share.coordinator.snapshot.update.records.per.snapshot
    share.coordinator.state.topic.compression.codec share.coordinator.state.topic.num.partitions
    share.coordinator.state.topic.segment.bytes share.coordinator.threads share.coordinator.write.timeout.ms
    share.fetch.purgatory.purge.interval.requests socket.listen.backlog.size socket.receive.buffer.bytes socket.request.max.bytes
    socket.send.buffer.bytes telemetry.max.bytes transaction.abort.timed.out.transaction.cleanup.interval.ms transaction.max.timeout.ms
    transaction.remove.expired.transaction.cleanup.interval.ms transaction.state.log.load.buffer.size transaction.state.log.min.isr
    transaction.state.log.num.partitions transaction.state.log.segment.bytes transactional.id.expiration.ms
  `,
  short: `
    offsets.topic.replication.factor sasl.login.refresh.buffer.seconds sasl.login.refresh.min.period.seconds
    share.coordinator.state.topic.min.isr share.coordinator.state.topic.replication.factor transaction.state.log.replication.factor
  `,
  long: `
    connections.max.idle.ms connections.max.reauth.ms delegation.token.expiry.check.interval.ms delegation.token.expiry.time.ms
    delegation.token.max.lifetime.ms leader.imbalance.check.interval.seconds log.cleaner.backoff.ms log.cleaner.dedupe.buffer.size
    log.cleaner.delete.retention.ms log.cleaner.max.compaction.lag.ms log.cleaner.min.compaction.lag.ms log.dir.failure.timeout.ms
    log.flush.interval.messages log.flush.interval.ms log.flush.scheduler.interval.ms log.local.retention.bytes log.local.retention.ms
    log.message.timestamp.after.max.ms log.message.timestamp.before.max.ms log.retention.bytes log.retention.check.interval.ms
    log.retention.ms log.roll.jitter.ms log.roll.ms log.segment.delete.delay.ms metadata.log.max.record.bytes.between.snapshots
    metadata.log.max.snapshot.interval.ms metadata.log.segment.ms metadata.max.retention.bytes metadata.max.retention.ms
    metrics.sample.window.ms offsets.retention.check.interval.ms queued.max.request.bytes remote.list.offsets.request.timeout.ms
    remote.log.index.file.cache.total.size.bytes remote.log.manager.copy.max.bytes.per.second
    remote.log.manager.fetch.max.bytes.per.second remote.log.manager.task.interval.ms replica.high.watermark.checkpoint.interval.ms
    replica.lag.time.max.ms sasl.kerberos.min.time.before.relogin sasl.login.retry.backoff.max.ms sasl.login.retry.backoff.ms
    sasl.oauthbearer.jwks.endpoint.refresh.ms sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms
    sasl.oauthbearer.jwks.endpoint.retry.backoff.ms socket.connection.setup.timeout.max.ms socket.connection.setup.timeout.ms
  `,
  double: `
    log.cleaner.io.buffer.load.factor log.cleaner.io.max.bytes.per.second log.cleaner.min.cleanable.ratio
    sasl.kerberos.ticket.renew.jitter sasl.kerberos.ticket.renew.window.factor sasl.login.refresh.window.factor
    sasl.login.refresh.window.jitter
  `,
  list: `
    controller.quorum.bootstrap.servers controller.quorum.voters group.consumer.assignors group.coordinator.rebalance.protocols
    group.share.assignors kafka.metrics.reporters log.cleanup.policy metric.reporters process.roles sasl.enabled.mechanisms
    sasl.kerberos.principal.to.local.rules sasl.oauthbearer.expected.audience ssl.cipher.suites ssl.enabled.protocols
  `,
  string: `
    super.users
    advertised.listeners authorizer.class.name broker.rack compression.type controller.listener.names early.start.listeners
    group.consumer.migration.policy inter.broker.listener.name listener.security.protocol.map listeners log.dir log.dirs
    log.message.timestamp.type max.connections.per.ip.overrides metadata.log.dir metrics.recording.level
    remote.log.metadata.manager.class.name remote.log.metadata.manager.class.path remote.log.metadata.manager.impl.prefix
    remote.log.metadata.manager.listener.name remote.log.storage.manager.class.name remote.log.storage.manager.class.path
    remote.log.storage.manager.impl.prefix replica.selector.class sasl.kerberos.kinit.cmd sasl.kerberos.service.name
    sasl.mechanism.controller.protocol sasl.mechanism.inter.broker.protocol sasl.oauthbearer.assertion.algorithm
    sasl.oauthbearer.assertion.claim.aud sasl.oauthbearer.assertion.claim.iss sasl.oauthbearer.assertion.claim.sub
    sasl.oauthbearer.assertion.file sasl.oauthbearer.assertion.private.key.file sasl.oauthbearer.assertion.template.file
    sasl.oauthbearer.client.credentials.client.id sasl.oauthbearer.expected.issuer sasl.oauthbearer.jwks.endpoint.url
    sasl.oauthbearer.scope sasl.oauthbearer.scope.claim.name sasl.oauthbearer.sub.claim.name sasl.oauthbearer.token.endpoint.url
    security.inter.broker.protocol security.providers ssl.client.auth ssl.endpoint.identification.algorithm ssl.keymanager.algorithm
    ssl.keystore.location ssl.keystore.type ssl.principal.mapping.rules ssl.protocol ssl.provider ssl.secure.random.implementation
    ssl.trustmanager.algorithm ssl.truststore.location ssl.truststore.type
  `,
  password: `
    delegation.token.secret.key sasl.jaas.config sasl.oauthbearer.assertion.private.key.passphrase
    sasl.oauthbearer.client.credentials.client.secret ssl.key.password ssl.keystore.certificate.chain ssl.keystore.key
    ssl.keystore.password ssl.truststore.certificates ssl.truststore.password
  `,
  class: `
    alter.config.policy.class.name client.quota.callback.class create.topic.policy.class.name principal.builder.class
    sasl.client.callback.handler.class sasl.login.callback.handler.class sasl.login.class sasl.oauthbearer.jwt.retriever.class
    sasl.oauthbearer.jwt.validator.class sasl.server.callback.handler.class ssl.engine.factory.class
  `,
}

export type PropertyType = keyof typeof NAMES

const types: ReadonlyMap<string, PropertyType> = new Map(
  Object.entries(NAMES).flatMap(([type, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, type as PropertyType] as const),
  ),
)

/** The type of a property of Apache Kafka's broker; undefined for a name that Apache Kafka does not have. */
export function propertyType(name: string): PropertyType | undefined {
  return types.get(name)
}
