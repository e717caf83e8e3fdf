import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Run by java-client.test.ts: uses the broker given as argument as Java programs do and ends with 1 at the first surprise. */
public final class JavaClient {
  private static String broker;

  public static void main(String[] args) throws Exception {
    broker = args[0];
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker))) {
      administer(admin);
      compressions(admin);
      group(admin);
      transactions(admin);
    }
    System.out.println("java client done");
  }

  private static void check(Object actual, Object expected) {
    if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", got " + actual);
  }

  private static KafkaProducer<String, String> producer(Map<String, Object> extra) {
    Map<String, Object> settings = new HashMap<>(extra);
    settings.put("bootstrap.servers", broker);
    return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
  }

  private static KafkaConsumer<String, String> consumer(String group, Map<String, Object> extra) {
    Map<String, Object> settings = new HashMap<>(extra);
    settings.put("bootstrap.servers", broker);
    settings.put("group.id", group);
    settings.put("auto.offset.reset", "earliest");
    settings.put("enable.auto.commit", "false");
    return new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
  }

  private static List<String> read(KafkaConsumer<String, String> consumer, int count) {
    List<String> values = new ArrayList<>();
    long deadline = System.currentTimeMillis() + 60_000;
    while (values.size() < count && System.currentTimeMillis() < deadline) {
      for (ConsumerRecord<String, String> each : consumer.poll(Duration.ofMillis(200))) values.add(each.value());
    }
    return values;
  }

  private static void administer(Admin admin) throws Exception {
    admin.createTopics(List.of(new NewTopic("admin", 1, (short) 1).configs(Map.of("retention.ms", "60000")))).all().get();
    admin.createPartitions(Map.of("admin", NewPartitions.increaseTo(3))).all().get();
    check(admin.describeTopics(Set.of("admin")).allTopicNames().get().get("admin").partitions().size(), 3);
    check(admin.describeCluster().nodes().get().size(), 1);
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "admin");
    admin.incrementalAlterConfigs(Map.of(topic, List.of(
        new AlterConfigOp(new ConfigEntry("retention.ms", "70000"), AlterConfigOp.OpType.SET)))).all().get();
    check(admin.describeConfigs(Set.of(topic)).all().get().get(topic).get("retention.ms").value(), "70000");
    TopicPartition first = new TopicPartition("admin", 0);
    try (KafkaProducer<String, String> producer = producer(Map.of())) {
      for (int i = 0; i < 3; i++) producer.send(new ProducerRecord<>("admin", 0, 1000L + i, null, "v" + i)).get();
    }
    check(admin.listOffsets(Map.of(first, OffsetSpec.forTimestamp(1001))).all().get().get(first).offset(), 1L);
    check(admin.listOffsets(Map.of(first, OffsetSpec.maxTimestamp())).all().get().get(first).offset(), 2L);
    admin.deleteRecords(Map.of(first, RecordsToDelete.beforeOffset(2))).all().get();
    check(admin.listOffsets(Map.of(first, OffsetSpec.earliest())).all().get().get(first).offset(), 2L);
    admin.deleteTopics(Set.of("admin")).all().get();
    check(admin.listTopics().names().get(), Set.of());
  }

  private static void compressions(Admin admin) throws Exception {
    for (String type : List.of("none", "gzip", "lz4", "zstd", "snappy")) {
      String topic = "compressed-" + type;
      try (KafkaProducer<String, String> producer = producer(Map.of("compression.type", type, "linger.ms", "20"))) {
        for (int i = 0; i < 100; i++) producer.send(new ProducerRecord<>(topic, "k" + i, "v" + i));
      }
      try (KafkaConsumer<String, String> consumer = consumer("g-" + type, Map.of())) {
        consumer.subscribe(Set.of(topic));
        List<String> values = read(consumer, 100);
        check(values.size(), 100);
        check(values.get(99), "v99");
        consumer.commitSync();
      }
      TopicPartition partition = new TopicPartition(topic, 0);
      check(admin.listConsumerGroupOffsets("g-" + type).partitionsToOffsetAndMetadata().get().get(partition).offset(), 100L);
    }
  }

  private static void group(Admin admin) throws Exception {
    admin.createTopics(List.of(new NewTopic("grouped", 4, (short) 1))).all().get();
    for (String strategy : List.of("RangeAssignor", "CooperativeStickyAssignor")) {
      String group = "group-" + strategy;
      Map<String, Object> settings = Map.of(
          "partition.assignment.strategy", "org.apache.kafka.clients.consumer." + strategy, "heartbeat.interval.ms", "100");
      KafkaConsumer<String, String> b = consumer(group, settings);
      try (KafkaConsumer<String, String> a = consumer(group, settings)) {
        a.subscribe(Set.of("grouped"));
        b.subscribe(Set.of("grouped"));
        AtomicBoolean isDone = new AtomicBoolean();
        Thread other = new Thread(() -> {
          while (!isDone.get()) b.poll(Duration.ofMillis(50));
          b.close();
        });
        other.start();
        long deadline = System.currentTimeMillis() + 60_000;
        while (a.assignment().size() != 2 && System.currentTimeMillis() < deadline) a.poll(Duration.ofMillis(50));
        check(a.assignment().size(), 2);
        check(admin.describeConsumerGroups(Set.of(group)).all().get().get(group).members().size(), 2);
        // Goes on polling meanwhile: the other one may have to wait for this one to join again before it can leave.
        isDone.set(true);
        while (other.isAlive()) a.poll(Duration.ofMillis(50));
      }
      admin.deleteConsumerGroups(Set.of(group)).all().get();
    }
  }

  private static void transactions(Admin admin) throws Exception {
    admin.createTopics(List.of(new NewTopic("tx", 1, (short) 1))).all().get();
    KafkaProducer<String, String> producer = producer(Map.of("transactional.id", "java"));
    producer.initTransactions();
    producer.beginTransaction();
    producer.send(new ProducerRecord<>("tx", "kept"));
    producer.commitTransaction();
    producer.beginTransaction();
    producer.send(new ProducerRecord<>("tx", "dropped")).get();
    producer.abortTransaction();
    TopicPartition partition = new TopicPartition("tx", 0);
    try (KafkaConsumer<String, String> consumer = consumer("java-tx", Map.of("isolation.level", "read_committed"))) {
      consumer.subscribe(Set.of("tx"));
      check(read(consumer, 1), List.of("kept"));
      producer.beginTransaction();
      producer.sendOffsetsToTransaction(Map.of(partition, new OffsetAndMetadata(1)), consumer.groupMetadata());
      producer.commitTransaction();
    }
    check(admin.listConsumerGroupOffsets("java-tx").partitionsToOffsetAndMetadata().get().get(partition).offset(), 1L);
    producer.beginTransaction();
    producer.send(new ProducerRecord<>("tx", "zombie")).get();
    try (KafkaProducer<String, String> successor = producer(Map.of("transactional.id", "java"))) {
      successor.initTransactions();
      successor.beginTransaction();
      successor.send(new ProducerRecord<>("tx", "kept too"));
      successor.commitTransaction();
    }
    try {
      producer.commitTransaction();
      throw new AssertionError("the older producer was not fenced");
    } catch (ProducerFencedException expected) {
      producer.close();
    }
    try (KafkaConsumer<String, String> consumer = consumer("java-all", Map.of("isolation.level", "read_committed"))) {
      consumer.subscribe(Set.of("tx"));
      check(read(consumer, 2), List.of("kept", "kept too"));
    }
    try (KafkaConsumer<String, String> consumer = consumer("java-dirty", Map.of())) {
      consumer.subscribe(Set.of("tx"));
      check(read(consumer, 4), List.of("kept", "dropped", "zombie", "kept too"));
    }
  }
}
