import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Run by cluster-java.test.ts: moves partitions and leaders while brokers are killed, and compares what it produced record by record. */
public final class JavaCluster {
  private static final int RECORDS = 3000;
  private static final int PARTITIONS = 3;

  public static void main(String[] args) throws Exception {
    Map<String, Object> settings = Map.of("bootstrap.servers", args[0], "delivery.timeout.ms", 170000,
        "enable.idempotence", true, "acks", "all", "linger.ms", 2);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", args[0]))) {
      check(admin.describeCluster().nodes().get().size(), 3);
      check(admin.describeCluster().nodes().get().stream().map(Node::rack).sorted().toList(), List.of("a", "b", "c"));
      admin.createTopics(Set.of(new NewTopic("load", Optional.of(PARTITIONS), Optional.empty())
          .configs(Map.of("min.insync.replicas", "2")))).all().get();
      moveAndElect(admin);
      System.out.println("ready");
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      try (KafkaProducer<String, String> producer =
          new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
        for (int i = 0; i < RECORDS; i++) {
          sent.add(producer.send(new ProducerRecord<>("load", i % PARTITIONS, null, "v" + i), (metadata, error) -> {
            // For the test, which kills no broker before there was progress since the last one.
            if (error == null && metadata.offset() % 20 == 0) System.out.println("acknowledged");
          }));
          Thread.sleep(2);
        }
        producer.flush();
      }
      Map<Integer, List<String>> expected = new HashMap<>();
      for (int i = 0; i < RECORDS; i++) {
        check(sent.get(i).get().offset(), (long) (i / PARTITIONS));
        expected.computeIfAbsent(i % PARTITIONS, p -> new ArrayList<>()).add("v" + i);
      }
      check(read(args[0], "classic"), expected);
      check(read(args[0], "consumer"), expected);
    }
    System.out.println("java client done");
  }

  private static void moveAndElect(Admin admin) throws Exception {
    TopicPartition moved = new TopicPartition("moved", 0);
    admin.createTopics(Set.of(new NewTopic("moved", Map.of(0, List.of(1))))).all().get();
    admin.alterPartitionReassignments(Map.of(moved, Optional.of(new NewPartitionReassignment(List.of(2, 3))))).all().get();
    while (!replicas(admin).equals(List.of(2, 3))) Thread.sleep(20);
    check(admin.listPartitionReassignments().reassignments().get(), Map.of());
    check(leader(admin), 2);
    admin.alterPartitionReassignments(Map.of(moved, Optional.of(new NewPartitionReassignment(List.of(3, 2))))).all().get();
    check(leader(admin), 2);
    admin.electLeaders(ElectionType.PREFERRED, Set.of(moved)).all().get();
    check(leader(admin), 3);
    check(admin.electLeaders(ElectionType.PREFERRED, null).partitions().get(), Map.of());
  }

  private static TopicDescription describe(Admin admin) throws Exception {
    return admin.describeTopics(Set.of("moved")).allTopicNames().get().get("moved");
  }

  private static List<Integer> replicas(Admin admin) throws Exception {
    return describe(admin).partitions().get(0).replicas().stream().map(Node::id).toList();
  }

  private static int leader(Admin admin) throws Exception {
    return describe(admin).partitions().get(0).leader().id();
  }

  private static Map<Integer, List<String>> read(String servers, String protocol) {
    Map<Integer, List<String>> values = new HashMap<>();
    Map<String, Object> settings = Map.of("bootstrap.servers", servers, "group.id", protocol,
        "group.protocol", protocol, "auto.offset.reset", "earliest");
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.subscribe(Arrays.asList("load"));
      int count = 0;
      long deadline = System.currentTimeMillis() + 90_000;
      while (count < RECORDS && System.currentTimeMillis() < deadline) {
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(200))) {
          values.computeIfAbsent(record.partition(), p -> new ArrayList<>()).add(record.value());
          count++;
        }
      }
    }
    return values;
  }

  private static void check(Object actual, Object expected) {
    if (!actual.equals(expected)) throw new AssertionError("expected " + expected + ", got " + actual);
  }
}
