import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Run by java-client.test.ts: changes settings of topics, and fills and reads compacted topics. */
public final class JavaCompaction {
  private static String broker;

  public static void main(String[] args) throws Exception {
    broker = args[0];
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker))) {
      settings(admin);
      for (String type : List.of("none", "gzip", "snappy", "lz4", "zstd")) compacted(admin, type);
    }
    System.out.println("java client done");
  }

  private static void check(Object actual, Object expected) {
    if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", got " + actual);
  }

  private static void settings(Admin admin) throws Exception {
    var created = admin.createTopics(List.of(new NewTopic("set", 1, (short) 1).configs(Map.of("segment.ms", "5"))));
    check(created.config("set").get().get("segment.ms").source(), ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG);
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "set");
    for (OpType type : List.of(OpType.APPEND, OpType.SUBTRACT)) {
      ConfigEntry entry = new ConfigEntry("cleanup.policy", type == OpType.APPEND ? "compact" : "delete");
      admin.incrementalAlterConfigs(Map.of(topic, List.of(new AlterConfigOp(entry, type)))).all().get();
    }
    DescribeConfigsOptions all = new DescribeConfigsOptions().includeSynonyms(true).includeDocumentation(true);
    ConfigEntry policy = admin.describeConfigs(Set.of(topic), all).all().get().get(topic).get("cleanup.policy");
    check(policy.value(), "compact");
    check(policy.type(), ConfigEntry.ConfigType.LIST);
    check(policy.synonyms().get(1).name(), "log.cleanup.policy");
    check(policy.documentation().isEmpty(), false);
    ConfigResource self = new ConfigResource(ConfigResource.Type.BROKER, "1");
    check(admin.describeConfigs(Set.of(self)).all().get().get(self).get("log.segment.bytes").value(), "67108864");
  }

  private static void compacted(Admin admin, String compression) throws Exception {
    String topic = "compacted-" + compression;
    admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1).configs(Map.of(
        "cleanup.policy", "compact", "internal.segment.bytes", "1", "min.cleanable.dirty.ratio", "0")))).all().get();
    Map<String, Object> settings = Map.of("bootstrap.servers", broker, "compression.type", compression, "linger.ms", "20");
    try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      Random random = new Random(1);
      for (int round = 1; round <= 3; round++) {
        for (int key = 0; key < 100; key++) {
          String value = key == 7 && round == 3 ? null : noise(random) + round;
          producer.send(new ProducerRecord<>(topic, "key" + key, value));
        }
        producer.flush();
      }
      StringBuilder last = new StringBuilder();
      while (last.length() < 4000) last.append(noise(random));
      producer.send(new ProducerRecord<>(topic, "last", last.toString())).get();
      try {
        producer.send(new ProducerRecord<>(topic, "no key")).get();
        throw new AssertionError("a record without key was taken");
      } catch (ExecutionException refused) {
        check(refused.getCause().getClass(), InvalidRecordException.class);
      }
    }
    long deadline = System.currentTimeMillis() + 60_000;
    Map<String, String> values = new TreeMap<>();
    while (read(topic, values) != 101) {
      if (System.currentTimeMillis() > deadline) throw new AssertionError(topic + " is not compacted");
    }
    check(values.get("key99").endsWith("3"), true);
    check(values.containsKey("key7") && values.get("key7") == null, true);
  }

  /** Text that does not become so small that the last record is in one segment with others. */
  private static String noise(Random random) {
    return Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong());
  }

  /** Reads a topic from its first to its last record, and returns how many there were. */
  private static int read(String topic, Map<String, String> values) {
    TopicPartition partition = new TopicPartition(topic, 0);
    int count = 0;
    try (var consumer = new KafkaConsumer<>(
        Map.<String, Object>of("bootstrap.servers", broker), new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(Collections.singleton(partition));
      consumer.seekToBeginning(Collections.singleton(partition));
      long end = consumer.endOffsets(Collections.singleton(partition)).get(partition);
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<String, String> each : consumer.poll(Duration.ofMillis(100))) {
          values.put(each.key(), each.value());
          count += 1;
        }
      }
    }
    return count;
  }
}
