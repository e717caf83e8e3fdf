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
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRegularExpression;
import org.apache.kafka.common.errors.UnsupportedAssignorException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Run by java-client.test.ts: groups of the newer protocol (KIP-848), whose members are assigned by the broker. */
public final class JavaConsumerGroups {
  private static String servers;
  private static Admin admin;

  public static void main(String[] args) throws Exception {
    servers = args[0];
    admin = Admin.create(Map.of("bootstrap.servers", servers));
    admin.createTopics(List.of(new NewTopic("orders", 6, (short) 1), new NewTopic("prices", 2, (short) 1))).all().get();
    configureGroups();
    sharesAndGoesOn();
    keepsStaticMembers();
    matchesTopics();
    commitsInTransactions();
    changesProtocol();
    refuses();
    admin.close();
    System.out.println("java client done");
  }

  private static void configureGroups() throws Exception {
    for (String group : List.of("shared", "static", "matching", "exact", "changing")) {
      var resource = new ConfigResource(ConfigResource.Type.GROUP, group);
      set(resource, "consumer.heartbeat.interval.ms", "100");
      var config = admin.describeConfigs(Set.of(resource)).all().get().get(resource);
      check(config.get("consumer.heartbeat.interval.ms").value(), "100");
      check(config.get("consumer.heartbeat.interval.ms").source(), ConfigEntry.ConfigSource.DYNAMIC_GROUP_CONFIG);
      check(config.get("consumer.session.timeout.ms").value(), "45000");
    }
    fails(() -> set(new ConfigResource(ConfigResource.Type.GROUP, "shared"), "consumer.session.timeout.ms", "x"), InvalidConfigurationException.class);
    check(admin.listConfigResources(Set.of(ConfigResource.Type.GROUP), new org.apache.kafka.clients.admin.ListConfigResourcesOptions())
        .all().get().size(), 5);
  }

  private static void set(ConfigResource resource, String name, String value) throws Exception {
    admin.incrementalAlterConfigs(Map.of(resource, List.of(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET)))).all().get();
  }

  private static void sharesAndGoesOn() throws Exception {
    try (var one = consumer("shared"); var two = consumer("shared")) {
      one.subscribe(List.of("orders", "prices"));
      until(() -> poll(one).assignment().size() == 8);
      two.subscribe(List.of("orders", "prices"));
      until(() -> poll(one).assignment().size() == 4 & poll(two).assignment().size() == 4);
      var all = new HashSet<>(one.assignment());
      all.addAll(two.assignment());
      check(all.size(), 8);

      var read = new ArrayList<String>();
      for (int index = 0; index < 6; index += 1) produce("orders", index, "first-" + index);
      until(() -> {
        for (var each : List.of(one, two)) each.poll(Duration.ofMillis(20)).forEach(record -> read.add(record.value()));
        return read.size() >= 6;
      });
      one.commitSync();
      two.commitSync();

      until(() -> {
        poll(one);
        poll(two);
        return admin.describeConsumerGroups(Set.of("shared")).describedGroups().get("shared").get().groupState() == GroupState.STABLE;
      });
      var group = admin.describeConsumerGroups(Set.of("shared")).describedGroups().get("shared").get();
      check(group.type(), GroupType.CONSUMER);
      check(group.partitionAssignor(), "uniform");
      check(group.members().size(), 2);
      group.members().forEach(member -> check(member.assignment().topicPartitions().size(), 4));
    }
    // Closing leaves the group at once.
    until(() -> admin.describeConsumerGroups(Set.of("shared")).describedGroups().get("shared").get().members().isEmpty());
    check(admin.listConsumerGroupOffsets("shared").partitionsToOffsetAndMetadata().get().get(new TopicPartition("orders", 5)).offset(), 1L);
    produce("orders", 0, "second");
    try (var three = consumer("shared", "group.remote.assignor", "range")) {
      three.subscribe(List.of("orders"));
      check(next(three), "second");
    }
  }

  private static void keepsStaticMembers() throws Exception {
    Set<TopicPartition> before;
    try (var other = consumer("static", "group.instance.id", "other")) {
      other.subscribe(List.of("orders"));
      try (var one = consumer("static", "group.instance.id", "one")) {
        one.subscribe(List.of("orders"));
        until(() -> poll(one).assignment().size() == 3 & poll(other).assignment().size() == 3);
        before = Set.copyOf(one.assignment());
      }
      // Its place is kept while it is away.
      try (var again = consumer("static", "group.instance.id", "one")) {
        again.subscribe(List.of("orders"));
        until(() -> poll(again).assignment().size() == 3);
        check(Set.copyOf(again.assignment()), before);
        check(poll(other).assignment().size(), 3);
      }
    }
  }

  private static void matchesTopics() throws Exception {
    try (var consumer = consumer("matching")) {
      consumer.subscribe(new SubscriptionPattern("(pri|new).*s"));
      until(() -> poll(consumer).assignment().size() == 2);
      admin.createTopics(List.of(new NewTopic("news", 1, (short) 1))).all().get();
      until(() -> poll(consumer).assignment().contains(new TopicPartition("news", 0)));
    }
    try (var consumer = consumer("matching")) {
      consumer.subscribe(new SubscriptionPattern("(a+"));
      fails(() -> until(() -> poll(consumer).assignment().size() == 9), InvalidRegularExpression.class);
    }
  }

  private static void commitsInTransactions() throws Exception {
    produce("prices", 0, "priced");
    try (var consumer = consumer("exact");
        var producer = new KafkaProducer<>(Map.of("bootstrap.servers", servers, "transactional.id", "tx"), new StringSerializer(), new StringSerializer())) {
      producer.initTransactions();
      consumer.subscribe(List.of("prices"));
      check(next(consumer), "priced");
      producer.beginTransaction();
      producer.sendOffsetsToTransaction(Map.of(new TopicPartition("prices", 0), new OffsetAndMetadata(1)), consumer.groupMetadata());
      producer.commitTransaction();
      check(consumer.committed(Set.of(new TopicPartition("prices", 0))).get(new TopicPartition("prices", 0)).offset(), 1L);
    }
  }

  private static void changesProtocol() throws Exception {
    var classic = Map.<String, Object>of("group.protocol", "classic", "heartbeat.interval.ms", 100);
    produce("news", 0, "one");
    try (var consumer = consumer("changing", classic)) {
      consumer.subscribe(List.of("news"));
      check(next(consumer), "one");
      consumer.commitSync();
    }
    check(typeOf("changing"), GroupType.CLASSIC);
    produce("news", 0, "two");
    try (var consumer = consumer("changing")) {
      consumer.subscribe(List.of("news"));
      check(next(consumer), "two");
      consumer.commitSync();
      check(typeOf("changing"), GroupType.CONSUMER);
    }
    produce("news", 0, "three");
    try (var consumer = consumer("changing", classic)) {
      consumer.subscribe(List.of("news"));
      check(next(consumer), "three");
    }
    check(typeOf("changing"), GroupType.CLASSIC);
    admin.deleteConsumerGroups(Set.of("changing", "shared")).all().get();
    check(typeOf("shared"), null);
  }

  private static void refuses() throws Exception {
    try (var consumer = consumer("refused", "group.remote.assignor", "unknown")) {
      consumer.subscribe(List.of("orders"));
      fails(() -> until(() -> poll(consumer).assignment().size() == 9), UnsupportedAssignorException.class);
    }
  }

  private static GroupType typeOf(String group) throws Exception {
    return admin.listGroups(new ListGroupsOptions()).all().get().stream()
        .filter(each -> each.groupId().equals(group)).findFirst().flatMap(each -> each.type()).orElse(null);
  }

  private static KafkaConsumer<String, String> consumer(String group, String... settings) {
    var more = new HashMap<String, Object>();
    for (int at = 0; at < settings.length; at += 2) more.put(settings[at], settings[at + 1]);
    return consumer(group, more);
  }

  private static KafkaConsumer<String, String> consumer(String group, Map<String, Object> more) {
    var config = new HashMap<String, Object>(Map.of(
        "bootstrap.servers", servers, "group.id", group, "group.protocol", "consumer", "auto.offset.reset", "earliest",
        "enable.auto.commit", false));
    config.putAll(more);
    return new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
  }

  private static void produce(String topic, int partition, String value) throws Exception {
    try (var producer = new KafkaProducer<>(Map.of("bootstrap.servers", servers), new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>(topic, partition, "key", value)).get();
    }
  }

  private static KafkaConsumer<String, String> poll(KafkaConsumer<String, String> consumer) {
    try {
      consumer.poll(Duration.ofMillis(20));
    } catch (IllegalStateException error) {
      // The Java client fails when a partition is revoked while it collects the partition's records; its next poll goes on.
      if (!error.getMessage().startsWith("No current assignment for partition")) throw error;
    }
    return consumer;
  }

  private static String next(KafkaConsumer<String, String> consumer) {
    for (;;) for (var record : consumer.poll(Duration.ofMillis(50))) return record.value();
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
