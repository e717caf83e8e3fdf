import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRecordStateException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Run by java-client.test.ts: share groups (KIP-932). Where it says "move the clock", locks of records have to run out. */
public final class JavaShareGroups {
  private static String servers;
  private static Admin admin;

  public static void main(String[] args) throws Exception {
    servers = args[0];
    admin = Admin.create(Map.of("bootstrap.servers", servers));
    sharesOnePartition();
    acknowledgesEach();
    givesUpPoison();
    losesLocks();
    releasesAtTheEnd();
    readsCommitted();
    isAdministered();
    admin.close();
    System.out.println("java client done");
  }

  private static void sharesOnePartition() throws Exception {
    begin("shared");
    var deliveries = new ArrayList<String>();
    try (var one = consumer("shared", "implicit"); var two = consumer("shared", "implicit")) {
      var byOne = new HashSet<String>();
      var byTwo = new HashSet<String>();
      var sent = 0;
      var end = System.currentTimeMillis() + 90_000;
      while (byOne.isEmpty() || byTwo.isEmpty() || deliveries.size() < sent) {
        if (System.currentTimeMillis() > end) throw new AssertionError("two members do not share: " + byOne + byTwo);
        if (byOne.isEmpty() || byTwo.isEmpty()) for (int count = 0; count < 5; count += 1) produce("shared", "record-" + sent++);
        for (var record : one.poll(Duration.ofMillis(50))) deliveries.add(noted(record, byOne));
        for (var record : two.poll(Duration.ofMillis(50))) deliveries.add(noted(record, byTwo));
      }
      check(new HashSet<>(deliveries).size(), deliveries.size());
      settle(one);
      settle(two);
    }
  }

  private static String noted(ConsumerRecord<String, String> record, Set<String> by) {
    check(record.deliveryCount().get(), (short) 1);
    by.add(record.value());
    return record.value();
  }

  private static void acknowledgesEach() throws Exception {
    begin("explicit");
    for (var value : List.of("accepted", "released", "rejected", "last")) produce("explicit", value);
    try (var one = consumer("explicit", "explicit")) {
      var first = poll(one, 4);
      for (var record : first) {
        one.acknowledge(record, switch (record.value()) {
          case "released" -> AcknowledgeType.RELEASE;
          case "rejected" -> AcknowledgeType.REJECT;
          default -> AcknowledgeType.ACCEPT;
        });
      }
      settle(one);
      var again = poll(one, 1).get(0);
      check(again.value(), "released");
      check(again.deliveryCount().get(), (short) 2);
      one.acknowledge(again);
      settle(one);
      produce("explicit", "next");
      var next = poll(one, 1).get(0);
      check(next.value(), "next");
      one.acknowledge(next);
      settle(one);
    }
  }

  private static void givesUpPoison() throws Exception {
    begin("poison");
    produce("poison", "poison");
    try (var one = consumer("poison", "explicit")) {
      for (short delivery = 1; delivery <= 5; delivery += 1) {
        var record = poll(one, 1).get(0);
        check(record.value(), "poison");
        check(record.deliveryCount().get(), delivery);
        one.acknowledge(record, AcknowledgeType.RELEASE);
        settle(one);
      }
      produce("poison", "sound");
      var sound = poll(one, 1).get(0);
      check(sound.value(), "sound");
      one.acknowledge(sound);
      settle(one);
    }
  }

  private static void losesLocks() throws Exception {
    begin("locks");
    produce("locks", "held for too long");
    try (var one = consumer("locks", "explicit"); var two = consumer("locks", "explicit")) {
      var held = poll(one, 1).get(0);
      check(held.deliveryCount().get(), (short) 1);
      System.out.println("move the clock");
      var taken = poll(two, 1).get(0);
      check(taken.offset(), held.offset());
      // A fetch of the first that still waits may get it before, and lose it again.
      check(taken.deliveryCount().get() >= 2, true);
      one.acknowledge(held);
      var refused = one.commitSync(Duration.ofSeconds(30)).values().iterator().next().get();
      check(refused.getClass(), InvalidRecordStateException.class);
      two.acknowledge(taken);
      settle(two);
    }
  }

  private static void releasesAtTheEnd() throws Exception {
    begin("left");
    produce("left", "left");
    try (var one = consumer("left", "explicit")) {
      check(poll(one, 1).get(0).value(), "left");
    }
    // A record for those that wait: Apache Kafka 4.1 wakes nobody for what was released by a session that ended.
    produce("left", "another");
    try (var two = consumer("left", "explicit")) {
      var values = new ArrayList<String>();
      poll(two, 2).forEach(record -> values.add(record.value()));
      check(values, List.of("left", "another"));
    }
  }

  private static void readsCommitted() throws Exception {
    begin("committed");
    set("committed", "share.isolation.level", "read_committed");
    var config = Map.<String, Object>of("bootstrap.servers", servers, "transactional.id", "of-shares");
    try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>("committed", "key", "aborted")).get();
      producer.abortTransaction();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>("committed", "key", "committed")).get();
      producer.commitTransaction();
    }
    try (var one = consumer("committed", "explicit")) {
      var record = poll(one, 1).get(0);
      check(record.value(), "committed");
      one.acknowledge(record);
      settle(one);
    }
  }

  private static void isAdministered() throws Exception {
    begin("admin");
    for (int count = 0; count < 5; count += 1) produce("admin", "record-" + count);
    var partition = new TopicPartition("admin", 0);
    try (var one = consumer("admin", "explicit")) {
      for (var record : poll(one, 5)) one.acknowledge(record);
      settle(one);
      var group = admin.describeShareGroups(List.of("admin")).describedGroups().get("admin").get();
      check(group.groupState(), GroupState.STABLE);
      check(group.members().size(), 1);
      check(group.members().iterator().next().assignment().topicPartitions(), Set.of(partition));
      fails(() -> admin.deleteShareGroups(List.of("admin")).all().get(), GroupNotEmptyException.class);
      fails(() -> admin.deleteShareGroupOffsets("admin", Set.of("admin")).all().get(), GroupNotEmptyException.class);
    }
    until(() -> admin.describeShareGroups(List.of("admin")).describedGroups().get("admin").get().groupState() == GroupState.EMPTY);
    var listed = admin.listGroups(ListGroupsOptions.forShareGroups()).all().get().stream()
        .filter(each -> each.groupId().equals("admin")).findFirst().get();
    check(listed.type().get(), GroupType.SHARE);
    check(listed.groupState().get(), GroupState.EMPTY);
    fails(() -> admin.describeShareGroups(List.of("nobody")).all().get(), GroupIdNotFoundException.class);
    fails(() -> set("admin", "share.auto.offset.reset", "somewhere"), InvalidConfigurationException.class);

    admin.alterShareGroupOffsets("admin", Map.of(partition, 3L)).all().get();
    try (var one = consumer("admin", "explicit")) {
      var again = poll(one, 2);
      check(again.get(0).value(), "record-3");
      for (var record : again) one.acknowledge(record);
      settle(one);
    }
    until(() -> admin.describeShareGroups(List.of("admin")).describedGroups().get("admin").get().groupState() == GroupState.EMPTY);
    check(offset("admin"), 5L);
    admin.deleteShareGroupOffsets("admin", Set.of("admin")).all().get();
    check(offsets("admin").get(partition), null);
    admin.deleteShareGroups(List.of("admin")).all().get();
    fails(() -> admin.describeShareGroups(List.of("admin")).all().get(), GroupIdNotFoundException.class);
  }

  /** A topic and a group of this name, which reads from the beginning. */
  private static void begin(String name) throws Exception {
    admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get();
    set(name, "share.auto.offset.reset", "earliest");
    set(name, "share.heartbeat.interval.ms", "100");
  }

  private static void set(String group, String name, String value) throws Exception {
    var resource = new ConfigResource(ConfigResource.Type.GROUP, group);
    admin.incrementalAlterConfigs(Map.of(resource, List.of(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET)))).all().get();
    check(admin.describeConfigs(Set.of(resource)).all().get().get(resource).get(name).value(), value);
  }

  private static Map<TopicPartition, org.apache.kafka.clients.consumer.OffsetAndMetadata> offsets(String name) throws Exception {
    return admin.listShareGroupOffsets(Map.of(name, new ListShareGroupOffsetsSpec())).all().get().get(name);
  }

  private static long offset(String name) throws Exception {
    return offsets(name).get(new TopicPartition(name, 0)).offset();
  }

  private static KafkaShareConsumer<String, String> consumer(String group, String mode) {
    var config = new HashMap<String, Object>(Map.of(
        "bootstrap.servers", servers, "group.id", group, "share.acknowledgement.mode", mode, "max.poll.records", 10));
    var consumer = new KafkaShareConsumer<>(config, new StringDeserializer(), new StringDeserializer());
    consumer.subscribe(List.of(group));
    return consumer;
  }

  private static List<ConsumerRecord<String, String>> poll(KafkaShareConsumer<String, String> consumer, int count) throws Exception {
    var records = new ArrayList<ConsumerRecord<String, String>>();
    var end = System.currentTimeMillis() + 90_000;
    for (;;) {
      consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      if (records.size() >= count) return records;
      if (System.currentTimeMillis() > end) throw new AssertionError("no " + count + " records, but " + records);
    }
  }

  private static void settle(KafkaShareConsumer<String, String> consumer) {
    consumer.commitSync(Duration.ofSeconds(30)).forEach((partition, error) -> check(error.isPresent(), false));
  }

  private static void produce(String topic, String value) throws Exception {
    try (var producer = new KafkaProducer<>(Map.of("bootstrap.servers", servers), new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>(topic, "key", value)).get();
    }
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void until(Condition condition) throws Exception {
    long end = System.currentTimeMillis() + 90_000;
    while (!condition.holds()) if (System.currentTimeMillis() > end) throw new AssertionError("waited for too long");
  }

  private interface Action {
    void run() throws Exception;
  }

  private static void fails(Action action, Class<? extends Exception> expected) {
    try {
      action.run();
    } catch (Exception error) {
      if (expected.isInstance(error) || expected.isInstance(error.getCause())) return;
      throw new AssertionError("expected " + expected, error);
    }
    throw new AssertionError("expected " + expected);
  }

  private static void check(Object actual, Object expected) {
    if (!java.util.Objects.equals(expected, actual)) throw new AssertionError("expected " + expected + ", got " + actual);
  }
}
