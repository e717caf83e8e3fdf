import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Run by java-client.test.ts: transactions of the second version (KIP-890), in which every end gives the producer another epoch. */
public final class JavaTransactionsV2 {
  private static final int ROUNDS = 6;

  public static void main(String[] args) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", args[0])); var producer = producer(args[0])) {
      var features = admin.describeFeatures().featureMetadata().get();
      check(features.finalizedFeatures().get("transaction.version").maxVersionLevel(), (short) 2);
      check(features.supportedFeatures().get("transaction.version").minVersion(), (short) 0);
      admin.createTopics(List.of(new NewTopic("ledger", 2, (short) 1))).all().get();

      producer.initTransactions();
      List<String> expected = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round += 1) {
        producer.beginTransaction();
        for (int partition = 0; partition < 2; partition += 1) producer.send(new ProducerRecord<>("ledger", partition, "key", "value-" + round));
        producer.sendOffsetsToTransaction(Map.of(new TopicPartition("ledger", 0), new OffsetAndMetadata(round)), new ConsumerGroupMetadata("readers"));
        if (round % 2 == 0) {
          producer.commitTransaction();
          expected.add("value-" + round);
          expected.add("value-" + round);
        } else {
          producer.flush();
          producer.abortTransaction();
        }
        check(admin.describeTransactions(Set.of("tx")).description("tx").get().producerEpoch(), round + 1);
      }
      check(admin.listConsumerGroupOffsets("readers").partitionsToOffsetAndMetadata().get().get(new TopicPartition("ledger", 0)).offset(), 4L);
      check(read(args[0], expected.size()), expected);

      // A newer producer fences this one.
      producer.beginTransaction();
      producer.send(new ProducerRecord<>("ledger", 0, "key", "late"));
      producer.flush();
      try (var newer = producer(args[0])) {
        newer.initTransactions();
        newer.beginTransaction();
        newer.send(new ProducerRecord<>("ledger", 0, "key", "newer"));
        newer.commitTransaction();
      }
      try {
        producer.commitTransaction();
        throw new AssertionError("expected to be fenced");
      } catch (ProducerFencedException expectedError) {
        expected.add("newer");
      }
      check(read(args[0], expected.size()), expected);
    }
    System.out.println("java client done");
  }

  private static KafkaProducer<String, String> producer(String servers) {
    return new KafkaProducer<>(Map.of("bootstrap.servers", servers, "transactional.id", "tx"), new StringSerializer(), new StringSerializer());
  }

  /** In the order of the partitions that were read, sorted by value. */
  private static List<String> read(String servers, int count) {
    var config = Map.<String, Object>of("bootstrap.servers", servers, "isolation.level", "read_committed", "auto.offset.reset", "earliest");
    try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
      var partitions = List.of(new TopicPartition("ledger", 0), new TopicPartition("ledger", 1));
      consumer.assign(partitions);
      var values = new ArrayList<String>();
      var ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each)) || values.size() < count) {
        consumer.poll(Duration.ofMillis(50)).forEach(each -> values.add(each.value()));
      }
      values.sort((a, b) -> a.startsWith("newer") ? 1 : b.startsWith("newer") ? -1 : a.compareTo(b));
      return values;
    }
  }

  private static void check(Object actual, Object expected) {
    if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", got " + actual);
  }
}
