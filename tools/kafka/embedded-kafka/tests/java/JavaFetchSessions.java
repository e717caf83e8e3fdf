import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Run by java-client.test.ts: reads many partitions in a fetch session, which has to notice what comes and goes. */
public final class JavaFetchSessions {
  private static final int PARTITIONS = 100;

  public static void main(String[] args) throws Exception {
    var consumerConfig = Map.<String, Object>of(
        "bootstrap.servers", args[0], "fetch.max.wait.ms", 50, "auto.offset.reset", "earliest", "metadata.max.age.ms", 1000);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", args[0]));
        var producer = new KafkaProducer<>(Map.of("bootstrap.servers", args[0]), new StringSerializer(), new StringSerializer());
        var consumer = new KafkaConsumer<>(consumerConfig, new StringDeserializer(), new StringDeserializer())) {
      admin.createTopics(List.of(new NewTopic("wide", PARTITIONS, (short) 1), new NewTopic("again", 1, (short) 1))).all().get();
      List<TopicPartition> partitions = IntStream.range(0, PARTITIONS).mapToObj(index -> new TopicPartition("wide", index)).toList();
      consumer.assign(partitions);
      for (TopicPartition each : partitions) producer.send(new ProducerRecord<>("wide", each.partition(), "key", "first"));
      producer.flush();
      read(consumer, PARTITIONS);

      // Answers without news do not name the partitions.
      double bytes = metric(consumer, "incoming-byte-total");
      double answers = metric(consumer, "response-total");
      while (metric(consumer, "response-total") < answers + 20) consumer.poll(Duration.ofMillis(50));
      double perAnswer = (metric(consumer, "incoming-byte-total") - bytes) / (metric(consumer, "response-total") - answers);
      if (perAnswer > 1000) throw new AssertionError(perAnswer + " bytes an answer");

      consumer.pause(partitions.subList(0, 50));
      producer.send(new ProducerRecord<>("wide", 10, "key", "paused"));
      producer.send(new ProducerRecord<>("wide", 90, "key", "read")).get();
      producer.flush();
      check(read(consumer, 1), List.of("read"));
      consumer.resume(partitions.subList(0, 50));
      check(read(consumer, 1), List.of("paused"));

      // A topic that is deleted and created again has another id.
      var again = new TopicPartition("again", 0);
      consumer.assign(List.of(again, partitions.get(0)));
      producer.send(new ProducerRecord<>("again", 0, "key", "old")).get();
      check(read(consumer, 1), List.of("old"));
      admin.deleteTopics(Set.of("again")).all().get();
      admin.createTopics(List.of(new NewTopic("again", 1, (short) 1))).all().get();
      try (var fresh = new KafkaProducer<>(Map.of("bootstrap.servers", args[0]), new StringSerializer(), new StringSerializer())) {
        fresh.send(new ProducerRecord<>("again", 0, "key", "new")).get();
      }
      consumer.seekToBeginning(List.of(again));
      check(read(consumer, 1), List.of("new"));
    }
    System.out.println("java client done");
  }

  private static List<String> read(KafkaConsumer<String, String> consumer, int count) {
    var values = new java.util.ArrayList<String>();
    while (values.size() < count) consumer.poll(Duration.ofMillis(50)).forEach(each -> values.add(each.value()));
    return values;
  }

  private static double metric(KafkaConsumer<String, String> consumer, String name) {
    return consumer.metrics().entrySet().stream()
        .filter(each -> each.getKey().name().equals(name) && each.getKey().group().equals("consumer-metrics"))
        .mapToDouble(each -> (Double) each.getValue().metricValue()).sum();
  }

  private static void check(Object actual, Object expected) {
    if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", got " + actual);
  }
}
