import java.time.Duration;
import java.util.*;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.*;
import org.apache.kafka.common.acl.*;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.*;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Run by java-admin.test.ts: calls every method of Admin but those for share groups and streams groups, and prints what came of it, a line
 * for each, so that it can be compared with Apache Kafka.
 */
public final class JavaAdmin {
  private static final TopicPartition BEER = new TopicPartition("beer", 0);
  private static final TopicPartition NONE = new TopicPartition("none", 0);
  private static final List<String> INTERNAL = List.of("__consumer_offsets", "__transaction_state");

  public static void main(String[] args) throws Exception {
    String server = args[0];
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", server))) {
      topics(admin);
      groups(admin, server);
      transactions(admin, server);
      internalTopics(admin, server);
      replicas(admin);
      quotas(admin);
      features(admin);
      cluster(admin);
      security(admin);
    }
    System.out.println("java client done");
  }

  private static void topics(Admin admin) {
    say("create topics", () -> admin.createTopics(List.of(new NewTopic("beer", 2, (short) 1))).config("beer").get().get("cleanup.policy").value());
    say("create topic again", () -> admin.createTopics(List.of(new NewTopic("beer", 1, (short) 1))).all().get());
    say("create invalid topic", () -> admin.createTopics(List.of(new NewTopic("a b", 1, (short) 1))).all().get());
    say("list topics", () -> sorted(admin.listTopics().names().get()));
    say("describe topics", () -> admin.describeTopics(List.of("beer")).allTopicNames().get().get("beer").partitions().size());
    say("describe no topic", () -> admin.describeTopics(List.of("none")).allTopicNames().get());
    say("create partitions", () -> admin.createPartitions(Map.of("beer", NewPartitions.increaseTo(3))).all().get());
    say("create fewer partitions", () -> admin.createPartitions(Map.of("beer", NewPartitions.increaseTo(1))).all().get());
    say("create partitions of nothing", () -> admin.createPartitions(Map.of("none", NewPartitions.increaseTo(3))).all().get());
    say("alter configs", () -> admin.incrementalAlterConfigs(Map.of(topic("beer"), List.of(set("retention.ms", "1000")))).all().get());
    say("describe configs", () -> admin.describeConfigs(List.of(topic("beer"))).all().get().get(topic("beer")).get("retention.ms").value());
    say("delete records", () -> admin.deleteRecords(Map.of(BEER, RecordsToDelete.beforeOffset(0))).lowWatermarks().get(BEER).get().lowWatermark());
    say("delete records beyond", () -> admin.deleteRecords(Map.of(BEER, RecordsToDelete.beforeOffset(9))).all().get());
    say("list offsets", () -> admin.listOffsets(Map.of(BEER, OffsetSpec.latest())).all().get().get(BEER).offset());
    for (OffsetSpec spec : List.of(OffsetSpec.earliest(), OffsetSpec.maxTimestamp(), OffsetSpec.earliestLocal(), OffsetSpec.latestTiered())) {
      say("list offsets " + spec.getClass().getSimpleName(), () -> admin.listOffsets(Map.of(BEER, spec)).all().get().get(BEER).offset());
    }
    say("describe log dirs", () -> admin.describeLogDirs(List.of(1)).allDescriptions().get().get(1).size());
    TopicPartitionReplica replica = new TopicPartitionReplica("beer", 0, 1);
    say("describe replica log dirs", () -> admin.describeReplicaLogDirs(List.of(replica)).all().get().get(replica).getFutureReplicaLogDir());
    say("alter replica log dirs, same", () -> admin.alterReplicaLogDirs(Map.of(replica,
        admin.describeReplicaLogDirs(List.of(replica)).all().get().get(replica).getCurrentReplicaLogDir())).all().get());
    say("alter replica log dirs, other", () -> admin.alterReplicaLogDirs(Map.of(replica, "/nowhere")).all().get());
    TopicPartitionReplica absent = new TopicPartitionReplica("none", 0, 1);
    say("alter replica log dirs, nothing", () -> admin.alterReplicaLogDirs(Map.of(absent,
        admin.describeReplicaLogDirs(List.of(replica)).all().get().get(replica).getCurrentReplicaLogDir())).all().get());
    say("list config resources", () -> sorted(admin.listConfigResources(Set.of(ConfigResource.Type.TOPIC, ConfigResource.Type.BROKER), new ListConfigResourcesOptions()).all().get().stream().map(ConfigResource::name).toList()));
    say("list client metrics", () -> admin.listClientMetricsResources().all().get());
  }

  private static void groups(Admin admin, String server) {
    say("alter offsets", () -> admin.alterConsumerGroupOffsets("g", Map.of(BEER, new OffsetAndMetadata(0, "note"))).all().get());
    say("list offsets of group", () -> admin.listConsumerGroupOffsets("g").partitionsToOffsetAndMetadata().get());
    say("list offsets of no group", () -> admin.listConsumerGroupOffsets("none").partitionsToOffsetAndMetadata().get());
    say("list groups", () -> admin.listGroups().all().get());
    say("list consumer groups", () -> admin.listConsumerGroups().all().get().size());
    say("describe group", () -> admin.describeConsumerGroups(List.of("g")).all().get().get("g").groupState());
    say("describe classic group", () -> admin.describeClassicGroups(List.of("g")).all().get().get("g").state());
    say("describe no group", () -> admin.describeConsumerGroups(List.of("none")).all().get());
    say("describe no classic group", () -> admin.describeClassicGroups(List.of("none")).all().get());
    say("remove members", () -> admin.removeMembersFromConsumerGroup("g", new RemoveMembersFromConsumerGroupOptions(List.of(new MemberToRemove("x")))).all().get());
    say("delete offsets", () -> admin.deleteConsumerGroupOffsets("g", Set.of(BEER)).all().get());
    say("delete group", () -> admin.deleteConsumerGroups(List.of("g")).all().get());
    say("delete no group", () -> admin.deleteConsumerGroups(List.of("none")).all().get());
  }

  private static void transactions(Admin admin, String server) throws Exception {
    Map<String, Object> config = Map.of("bootstrap.servers", server, "transactional.id", "tx-1");
    try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>("beer", 0, "key", "value")).get();
      say("describe producers", () -> admin.describeProducers(List.of(BEER)).all().get().get(BEER).activeProducers().size());
      say("describe transactions", () -> admin.describeTransactions(List.of("tx-1")).all().get().get("tx-1").state());
      say("describe no transaction", () -> admin.describeTransactions(List.of("none")).all().get());
      for (String pattern : List.of("tx-.*", "tx", "", "(", "tx-[0-9]")) {
        say("list transactions " + pattern, () -> admin.listTransactions(new ListTransactionsOptions().filterOnTransactionalIdPattern(pattern)).all().get().size());
      }
      ProducerState state = admin.describeProducers(List.of(BEER)).all().get().get(BEER).activeProducers().get(0);
      short epoch = (short) state.producerEpoch();
      say("abort of an older epoch", () -> admin.abortTransaction(new AbortTransactionSpec(BEER, state.producerId(), (short) (epoch - 1), 0)).all().get());
      say("abort", () -> admin.abortTransaction(new AbortTransactionSpec(BEER, state.producerId(), epoch, 0)).all().get());
      say("still open", () -> admin.describeProducers(List.of(BEER)).all().get().get(BEER).activeProducers().get(0).currentTransactionStartOffset().isPresent());
      say("force terminate", () -> admin.forceTerminateTransaction("tx-1").result().get());
      say("fence producers", () -> admin.fenceProducers(List.of("tx-1")).all().get());
    }
  }

  private static void internalTopics(Admin admin, String server) throws Exception {
    say("names of topics", () -> sorted(admin.listTopics().names().get()));
    say("names of all topics", () -> sorted(admin.listTopics(new ListTopicsOptions().listInternal(true)).names().get()));
    for (String name : INTERNAL) {
      say(name + " is internal", () -> admin.describeTopics(List.of(name)).allTopicNames().get().get(name).isInternal());
      say(name + " partitions", () -> admin.describeTopics(List.of(name)).allTopicNames().get().get(name).partitions().size());
      say(name + " configs", () -> admin.describeConfigs(List.of(topic(name))).all().get().get(topic(name)).entries().stream()
          .filter((entry) -> entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG)
          .map((entry) -> entry.name() + "=" + entry.value()).sorted().toList());
      say(name + " is written", () -> {
        try (var producer = new KafkaProducer<>(Map.of("bootstrap.servers", server), new StringSerializer(), new StringSerializer())) {
          return producer.send(new ProducerRecord<>(name, "key", "value")).get();
        }
      });
      say(name + " delete records", () -> admin.deleteRecords(Map.of(new TopicPartition(name, 0), RecordsToDelete.beforeOffset(0))).all().get());
      say(name + " more partitions", () -> admin.createPartitions(Map.of(name, NewPartitions.increaseTo(51)), new CreatePartitionsOptions().validateOnly(true)).all().get());
    }
    say("create internal topic", () -> admin.createTopics(List.of(new NewTopic("__consumer_offsets", 1, (short) 1))).all().get());
  }

  private static void replicas(Admin admin) {
    say("elect leaders", () -> admin.electLeaders(ElectionType.PREFERRED, Set.of(BEER)).partitions().get().get(BEER).map(JavaAdmin::text));
    say("elect leaders of nothing", () -> admin.electLeaders(ElectionType.PREFERRED, Set.of(NONE)).partitions().get().get(NONE).map(JavaAdmin::text));
    say("alter reassignments", () -> admin.alterPartitionReassignments(Map.of(BEER, Optional.of(new NewPartitionReassignment(List.of(1))))).all().get());
    say("cancel reassignments", () -> admin.alterPartitionReassignments(Map.of(BEER, Optional.empty())).all().get());
    say("reassign to nobody", () -> admin.alterPartitionReassignments(Map.of(BEER, Optional.of(new NewPartitionReassignment(List.of(1, 9))))).all().get());
    say("reassign nothing", () -> admin.alterPartitionReassignments(Map.of(NONE, Optional.of(new NewPartitionReassignment(List.of(1))))).all().get());
    say("list reassignments", () -> admin.listPartitionReassignments().reassignments().get());
  }

  private static void quotas(Admin admin) {
    Map<String, String> alice = Map.of("user", "alice");
    Map<String, String> app = Map.of("user", "alice", "client-id", "app");
    Map<String, String> someone = new TreeMap<>();
    someone.put("client-id", null);
    say("no quotas", () -> quotas(admin, ClientQuotaFilter.all()));
    say("set user", () -> alter(admin, alice, "producer_byte_rate", 1000.5));
    say("set user and client", () -> alter(admin, app, "consumer_byte_rate", 2000.0));
    say("set default client", () -> alter(admin, someone, "request_percentage", 50.0));
    say("set ip", () -> alter(admin, Map.of("ip", "127.0.0.9"), "connection_creation_rate", 10.0));
    say("set mutations", () -> alter(admin, Map.of("user", "bob"), "controller_mutation_rate", 3.0));
    say("all quotas", () -> quotas(admin, ClientQuotaFilter.all()));
    say("of alice", () -> quotas(admin, ClientQuotaFilter.contains(List.of(ClientQuotaFilterComponent.ofEntity("user", "alice")))));
    say("of alice only", () -> quotas(admin, ClientQuotaFilter.containsOnly(List.of(ClientQuotaFilterComponent.ofEntity("user", "alice")))));
    say("of any client", () -> quotas(admin, ClientQuotaFilter.contains(List.of(ClientQuotaFilterComponent.ofEntityType("client-id")))));
    say("of the default client", () -> quotas(admin, ClientQuotaFilter.contains(List.of(ClientQuotaFilterComponent.ofDefaultEntity("client-id")))));
    say("of any ip", () -> quotas(admin, ClientQuotaFilter.contains(List.of(ClientQuotaFilterComponent.ofEntityType("ip")))));
    say("of ip and user", () -> quotas(admin, ClientQuotaFilter.contains(List.of(ClientQuotaFilterComponent.ofEntityType("ip"), ClientQuotaFilterComponent.ofEntityType("user")))));
    say("of a type twice", () -> quotas(admin, ClientQuotaFilter.contains(List.of(ClientQuotaFilterComponent.ofEntityType("user"), ClientQuotaFilterComponent.ofEntity("user", "x")))));
    say("of an unknown type", () -> quotas(admin, ClientQuotaFilter.contains(List.of(ClientQuotaFilterComponent.ofEntityType("planet")))));
    say("of an empty type", () -> quotas(admin, ClientQuotaFilter.contains(List.of(ClientQuotaFilterComponent.ofEntityType("")))));
    say("set unknown type", () -> alter(admin, Map.of("planet", "x"), "producer_byte_rate", 1.0));
    say("set unknown key", () -> alter(admin, alice, "beer_rate", 1.0));
    say("set ip key on user", () -> alter(admin, alice, "connection_creation_rate", 1.0));
    say("set user key on ip", () -> alter(admin, Map.of("ip", "127.0.0.9"), "producer_byte_rate", 1.0));
    say("set unknown ip", () -> alter(admin, Map.of("ip", "no such host"), "connection_creation_rate", 1.0));
    say("set ip and user", () -> alter(admin, Map.of("ip", "127.0.0.9", "user", "alice"), "connection_creation_rate", 1.0));
    say("set zero", () -> alter(admin, alice, "producer_byte_rate", 0.0));
    say("set fraction of ip", () -> alter(admin, Map.of("ip", "127.0.0.9"), "connection_creation_rate", 1.5));
    say("set small fraction of bytes", () -> alter(admin, alice, "producer_byte_rate", 0.5));
    say("set negative", () -> alter(admin, alice, "request_percentage", -1.0));
    say("set nobody", () -> alter(admin, Map.of(), "producer_byte_rate", 1.0));
    say("set empty name", () -> alter(admin, Map.of("user", ""), "producer_byte_rate", 1.0));
    say("only validate", () -> admin.alterClientQuotas(List.of(alteration(alice, "request_percentage", 7.0)), new AlterClientQuotasOptions().validateOnly(true)).all().get());
    say("remove", () -> alter(admin, alice, "producer_byte_rate", null));
    say("remove what is not there", () -> alter(admin, alice, "request_percentage", null));
    say("quotas after", () -> quotas(admin, ClientQuotaFilter.all()));
    say("remove the others", () -> List.of(alter(admin, app, "consumer_byte_rate", null), alter(admin, someone, "request_percentage", null),
        alter(admin, Map.of("ip", "127.0.0.9"), "connection_creation_rate", null), alter(admin, Map.of("user", "bob"), "controller_mutation_rate", null)).size());
    say("no quotas after", () -> quotas(admin, ClientQuotaFilter.all()));
  }

  private static Object alter(Admin admin, Map<String, String> entity, String key, Double value) throws Exception {
    admin.alterClientQuotas(List.of(alteration(entity, key, value))).all().get();
    return "ok";
  }

  private static ClientQuotaAlteration alteration(Map<String, String> entity, String key, Double value) {
    return new ClientQuotaAlteration(new ClientQuotaEntity(entity), List.of(new ClientQuotaAlteration.Op(key, value)));
  }

  private static Object quotas(Admin admin, ClientQuotaFilter filter) throws Exception {
    return admin.describeClientQuotas(filter).entities().get().entrySet().stream()
        .map((entry) -> new TreeMap<>(entry.getKey().entries()) + "=" + new TreeMap<>(entry.getValue())).sorted().toList();
  }

  private static void features(Admin admin) {
    say("features", () -> features(admin, (found) -> found.finalizedFeatures()));
    say("supported features", () -> features(admin, (found) -> found.supportedFeatures()));
    for (FeatureUpdate.UpgradeType type : List.of(FeatureUpdate.UpgradeType.UPGRADE, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE, FeatureUpdate.UpgradeType.UNSAFE_DOWNGRADE)) {
      for (short level : new short[] {0, 1, 2, 9}) {
        say("group.version " + level + " " + type, () -> update(admin, "group.version", level, type));
        say("transaction.version " + level + " " + type, () -> update(admin, "transaction.version", level, type));
      }
      say("unknown feature " + type, () -> update(admin, "planet.version", (short) 1, type));
      for (short level : new short[] {1, 26, 27, 99}) {
        say("metadata.version " + level + " " + type, () -> admin.updateFeatures(Map.of("metadata.version", new FeatureUpdate(level, type)), new UpdateFeaturesOptions().validateOnly(true)).all().get());
      }
    }
    say("features after", () -> features(admin, (found) -> found.finalizedFeatures()));
    say("group.version again", () -> update(admin, "group.version", (short) 1, FeatureUpdate.UpgradeType.UPGRADE));
    say("transaction.version again", () -> update(admin, "transaction.version", (short) 2, FeatureUpdate.UpgradeType.UPGRADE));
  }

  private static Object update(Admin admin, String feature, short level, FeatureUpdate.UpgradeType type) throws Exception {
    admin.updateFeatures(Map.of(feature, new FeatureUpdate(level, type)), new UpdateFeaturesOptions()).all().get();
    return "ok";
  }

  private static Object features(Admin admin, java.util.function.Function<FeatureMetadata, Map<String, ?>> part) throws Exception {
    return new TreeMap<>(part.apply(admin.describeFeatures().featureMetadata().get()));
  }

  private static void cluster(Admin admin) {
    say("describe cluster", () -> admin.describeCluster().nodes().get().stream().map(Node::id).toList());
    say("describe cluster with fenced", () -> admin.describeCluster(new DescribeClusterOptions().includeFencedBrokers(true)).nodes().get().stream().map((node) -> node.id() + " " + node.isFenced()).toList());
    say("describe quorum", () -> admin.describeMetadataQuorum().quorumInfo().get().voters().stream().map(QuorumInfo.ReplicaState::replicaId).toList());
    say("nodes of quorum", () -> admin.describeMetadataQuorum().quorumInfo().get().nodes().keySet());
    say("unregister no broker", () -> admin.unregisterBroker(9).all().get());
    say("client instance id", () -> admin.clientInstanceId(Duration.ofMillis(100)));
    say("add raft voter", () -> admin.addRaftVoter(9, Uuid.fromString("AAAAAAAAAAAAAAAAAAAAAQ"), Set.of(new RaftVoterEndpoint("CONTROLLER", "localhost", 9999))).all().get());
    say("remove raft voter", () -> admin.removeRaftVoter(9, Uuid.fromString("AAAAAAAAAAAAAAAAAAAAAQ")).all().get());
    say("metrics", () -> admin.metrics().isEmpty());
  }

  private static void security(Admin admin) {
    say("describe acls", () -> admin.describeAcls(AclBindingFilter.ANY).values().get());
    say("delete acls", () -> admin.deleteAcls(List.of(AclBindingFilter.ANY)).all().get());
    say("describe scram users", () -> admin.describeUserScramCredentials().all().get());
    say("alter scram users", () -> admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion("alice", new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096), "secret"))).all().get());
    say("describe scram user", () -> admin.describeUserScramCredentials().users().get());
    say("create delegation token", () -> admin.createDelegationToken().delegationToken().get());
    say("describe delegation tokens", () -> admin.describeDelegationToken().delegationTokens().get());
    say("renew delegation token", () -> admin.renewDelegationToken(new byte[1]).expiryTimestamp().get());
    say("expire delegation token", () -> admin.expireDelegationToken(new byte[1]).expiryTimestamp().get());
    say("delete topics", () -> admin.deleteTopics(List.of("beer")).all().get());
    say("delete no topic", () -> admin.deleteTopics(List.of("none")).all().get());
  }

  private static AlterConfigOp set(String name, String value) {
    return new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
  }

  private static ConfigResource topic(String name) {
    return new ConfigResource(ConfigResource.Type.TOPIC, name);
  }

  private static Object sorted(Collection<String> names) {
    return new TreeSet<>(names);
  }

  private interface Attempt {
    Object run() throws Exception;
  }

  private static String text(Throwable error) {
    return error.getClass().getSimpleName() + ": " + error.getMessage();
  }

  private static void say(String what, Attempt attempt) {
    Object outcome;
    try {
      outcome = attempt.run();
    } catch (ExecutionException error) {
      outcome = text(error.getCause());
    } catch (Exception error) {
      outcome = text(error);
    }
    System.out.println(what + ": " + outcome);
  }
}
