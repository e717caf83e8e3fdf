import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.*;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.resource.*;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Run by acls.test.ts with the address of a broker that has an authorizer: admin may do everything, alice what she is allowed. Prints what
 * happened, a line for each attempt, so that it can be compared with Apache Kafka.
 */
public final class JavaAcls {
  private static String server;

  public static void main(String[] args) throws Exception {
    server = args[0];
    try (Admin admin = Admin.create(as("admin")); Admin alice = Admin.create(as("alice"))) {
      admin.createTopics(List.of(new NewTopic("beer", 1, (short) 1), new NewTopic("wine", 1, (short) 1))).all().get();
      TopicPartition beer = new TopicPartition("beer", 0);
      ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "beer");
      admin.alterConsumerGroupOffsets("g", Map.of(beer, new OffsetAndMetadata(0))).all().get();

      say("create acl", () -> alice.createAcls(List.of(allow(ResourceType.TOPIC, "beer", AclOperation.ALL))).all().get());
      say("describe acls", () -> alice.describeAcls(AclBindingFilter.ANY).values().get());
      say("delete acls", () -> alice.deleteAcls(List.of(AclBindingFilter.ANY)).all().get());
      say("list topics", () -> alice.listTopics().names().get());
      say("describe topic", () -> alice.describeTopics(List.of("beer")).allTopicNames().get().keySet());
      say("describe no topic", () -> alice.describeTopics(List.of("none")).allTopicNames().get().keySet());
      say("create topic", () -> alice.createTopics(List.of(new NewTopic("new", 1, (short) 1))).all().get());
      say("delete topic", () -> alice.deleteTopics(List.of("beer")).all().get());
      say("delete no topic", () -> alice.deleteTopics(List.of("none")).all().get());
      say("add partitions", () -> alice.createPartitions(Map.of("beer", NewPartitions.increaseTo(2))).all().get());
      say("describe configs", () -> alice.describeConfigs(List.of(topic)).all().get().size());
      say("describe broker configs", () -> alice.describeConfigs(List.of(new ConfigResource(ConfigResource.Type.BROKER, "1"))).all().get().size());
      say("alter configs", () -> alice.incrementalAlterConfigs(Map.of(topic, List.<AlterConfigOp>of(
          new AlterConfigOp(new ConfigEntry("retention.ms", "1000000"), AlterConfigOp.OpType.SET)))).all().get());
      say("list offsets", () -> alice.listOffsets(Map.of(beer, OffsetSpec.latest())).all().get().get(beer).offset());
      say("delete records", () -> alice.deleteRecords(Map.of(beer, RecordsToDelete.beforeOffset(0))).all().get());
      say("list groups", () -> alice.listGroups().all().get());
      say("describe group", () -> alice.describeClassicGroups(List.of("g")).all().get().get("g").state());
      say("committed offsets", () -> alice.listConsumerGroupOffsets("g").partitionsToOffsetAndMetadata().get().keySet());
      say("delete group", () -> alice.deleteConsumerGroups(List.of("g")).all().get());
      say("delete offsets", () -> alice.deleteConsumerGroupOffsets("g", Set.of(beer)).all().get());
      say("describe cluster", () -> alice.describeCluster().nodes().get().size());
      say("describe log dirs", () -> alice.describeLogDirs(List.of(1)).allDescriptions().get().size());
      say("describe quorum", () -> alice.describeMetadataQuorum().quorumInfo().get().leaderId());
      say("describe scram", () -> alice.describeUserScramCredentials().all().get());
      say("alter scram", () -> alice.alterUserScramCredentials(
          List.of(new UserScramCredentialUpsertion("x", new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096), "x"))).all().get());
      say("describe producers", () -> alice.describeProducers(List.of(beer)).all().get().size());
      say("list transactions", () -> alice.listTransactions().all().get());
      say("describe transaction", () -> alice.describeTransactions(List.of("tx")).all().get());
      say("list config resources", () -> alice.listConfigResources().all().get());
      say("produce", () -> produce("beer", Map.of("enable.idempotence", "false")));
      say("produce idempotently", () -> produce("beer", Map.of()));
      say("produce to no topic", () -> produce("none", Map.of("enable.idempotence", "false", "max.block.ms", "5000")));
      say("transaction", () -> transact("beer"));
      say("consume", () -> consume("beer", "g"));

      admin.createAcls(List.of(allow(ResourceType.TOPIC, "beer", AclOperation.DESCRIBE))).all().get();
      say("describe: list topics", () -> alice.listTopics().names().get());
      say("describe: delete topic", () -> alice.deleteTopics(List.of("beer")).all().get());
      say("describe: list offsets", () -> alice.listOffsets(Map.of(beer, OffsetSpec.latest())).all().get().get(beer).offset());
      say("describe: produce", () -> produce("beer", Map.of("enable.idempotence", "false")));
      say("describe: operations", () -> names(alice.describeTopics(List.of("beer"), new DescribeTopicsOptions().includeAuthorizedOperations(true))
          .allTopicNames().get().get("beer").authorizedOperations()));
      say("consume without group", () -> assign(beer));

      admin.createAcls(List.of(allow(ResourceType.TOPIC, "beer", AclOperation.WRITE))).all().get();
      say("write: produce", () -> produce("beer", Map.of("enable.idempotence", "false")));
      say("write: produce idempotently", () -> produce("beer", Map.of()));
      say("write: transaction", () -> transact("beer"));
      admin.createAcls(List.of(allow(ResourceType.TRANSACTIONAL_ID, "tx", AclOperation.WRITE))).all().get();
      say("write: transaction with id", () -> transact("beer"));
      say("write: transaction elsewhere", () -> transact("wine"));
      say("write: list transactions", () -> alice.listTransactions().all().get().size());

      admin.createAcls(List.of(new AclBinding(new ResourcePattern(ResourceType.TOPIC, "be", PatternType.PREFIXED),
          new AccessControlEntry("User:alice", "*", AclOperation.READ, AclPermissionType.ALLOW)))).all().get();
      say("read: consume", () -> consume("beer", "g"));
      say("read: consume without group", () -> assign(beer));
      admin.createAcls(List.of(allow(ResourceType.GROUP, "g", AclOperation.READ))).all().get();
      say("read: consume in group", () -> consume("beer", "g"));
      say("read: list groups", () -> alice.listGroups().all().get().size());
      say("read: committed offsets", () -> alice.listConsumerGroupOffsets("g").partitionsToOffsetAndMetadata().get().keySet());
      say("read: describe group", () -> names(alice.describeConsumerGroups(List.of("g"),
          new DescribeConsumerGroupsOptions().includeAuthorizedOperations(true)).all().get().get("g").authorizedOperations()));
      say("cluster operations", () -> names(alice.describeCluster(new DescribeClusterOptions().includeAuthorizedOperations(true)).authorizedOperations().get()));
      say("cluster operations of admin", () -> names(admin.describeCluster(new DescribeClusterOptions().includeAuthorizedOperations(true)).authorizedOperations().get()));

      admin.createAcls(List.of(new AclBinding(new ResourcePattern(ResourceType.TOPIC, "*", PatternType.LITERAL),
          new AccessControlEntry("User:*", "127.0.0.1", AclOperation.WRITE, AclPermissionType.DENY)))).all().get();
      say("denied: produce", () -> produce("beer", Map.of("enable.idempotence", "false")));
      say("denied: produce idempotently", () -> produce("beer", Map.of()));

      admin.createAcls(List.of(allow(ResourceType.TOPIC, "new", AclOperation.CREATE))).all().get();
      say("create: create topic", () -> {
        CreateTopicsResult created = alice.createTopics(List.of(new NewTopic("new", 1, (short) 1)));
        created.all().get();
        return created.config("new").get();
      });
      say("acls of beer", () -> acls(admin, new ResourcePatternFilter(ResourceType.TOPIC, "beer", PatternType.MATCH)));
      say("literal acls of beer", () -> acls(admin, new ResourcePatternFilter(ResourceType.TOPIC, "beer", PatternType.LITERAL)));
      say("prefixed acls", () -> acls(admin, new ResourcePatternFilter(ResourceType.ANY, null, PatternType.PREFIXED)));
      say("wrong cluster", () -> admin.createAcls(List.of(allow(ResourceType.CLUSTER, "other", AclOperation.ALL))).all().get());
      say("delete matching", () -> admin.deleteAcls(List.of(new AclBindingFilter(
          new ResourcePatternFilter(ResourceType.TOPIC, "beer", PatternType.MATCH), AccessControlEntryFilter.ANY))).all().get().size());
      say("deleted: list topics", () -> alice.listTopics().names().get());
    }
    System.out.println("java client done");
  }

  private static AclBinding allow(ResourceType type, String name, AclOperation operation) {
    return new AclBinding(new ResourcePattern(type, name, PatternType.LITERAL),
        new AccessControlEntry("User:alice", "*", operation, AclPermissionType.ALLOW));
  }

  private static Object acls(Admin admin, ResourcePatternFilter filter) throws Exception {
    return new TreeSet<>(admin.describeAcls(new AclBindingFilter(filter, AccessControlEntryFilter.ANY)).values().get().stream()
        .map(Object::toString).toList());
  }

  private static Object names(Collection<AclOperation> operations) {
    return operations == null ? "none" : new TreeSet<>(operations.stream().map(Enum::name).toList());
  }

  private static Map<String, Object> as(String user) {
    return new HashMap<>(Map.of("bootstrap.servers", server, "security.protocol", "SASL_PLAINTEXT", "sasl.mechanism", "PLAIN",
        "sasl.jaas.config", "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"" + user + "\" password=\"secret\";",
        "default.api.timeout.ms", "30000", "request.timeout.ms", "20000"));
  }

  private static Object produce(String topic, Map<String, Object> more) throws Exception {
    Map<String, Object> settings = as("alice");
    settings.putAll(more);
    try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      return "offset " + (producer.send(new ProducerRecord<>(topic, "value")).get().offset() >= 0);
    }
  }

  private static Object transact(String topic) throws Exception {
    Map<String, Object> settings = as("alice");
    settings.put("transactional.id", "tx");
    try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(topic, "value")).get();
      producer.commitTransaction();
      return "committed";
    }
  }

  private static KafkaConsumer<String, String> consumer(String group) {
    Map<String, Object> settings = as("alice");
    if (group != null) settings.put("group.id", group);
    settings.put("auto.offset.reset", "earliest");
    return new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
  }

  private static Object consume(String topic, String group) {
    try (var consumer = consumer(group)) {
      consumer.subscribe(List.of(topic));
      while (consumer.poll(Duration.ofMillis(500)).isEmpty()) continue;
      consumer.commitSync();
      return "records";
    }
  }

  private static Object assign(TopicPartition partition) {
    try (var consumer = consumer(null)) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      for (int time = 0; time < 40; time += 1) if (!consumer.poll(Duration.ofMillis(250)).isEmpty()) return "records";
      return "nothing";
    }
  }

  private interface Attempt {
    Object run() throws Exception;
  }

  private static void say(String what, Attempt attempt) {
    String outcome;
    try {
      outcome = String.valueOf(attempt.run());
    } catch (Exception thrown) {
      Throwable error = thrown instanceof ExecutionException ? thrown.getCause() : thrown;
      if (error.getCause() != null && error.getClass() == org.apache.kafka.common.KafkaException.class) error = error.getCause();
      outcome = error.getClass().getSimpleName();
    }
    System.out.println(what + ": " + outcome);
  }
}
