import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Run by java-client.test.ts: a client over its quotas is told how long it is throttled, and others are not. */
public final class JavaQuotas {
  private static final TopicPartition BEER = new TopicPartition("beer", 0);

  public static void main(String[] args) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", args[0]))) {
      admin.createTopics(List.of(new NewTopic("beer", 1, (short) 1))).all().get();
      var slow = new ClientQuotaEntity(Map.of("client-id", "slow"));
      // A little less than what follows, over ten seconds.
      admin.alterClientQuotas(List.of(new ClientQuotaAlteration(slow, List.of(
          new ClientQuotaAlteration.Op("producer_byte_rate", 290.0), new ClientQuotaAlteration.Op("consumer_byte_rate", 290.0))))).all().get();
    }
    check(produced(args[0], "fast") == 0);
    check(produced(args[0], "slow") > 0);
    check(consumed(args[0], "fast") == 0);
    check(consumed(args[0], "slow") > 0);
    System.out.println("java client done");
  }

  private static double produced(String server, String client) throws Exception {
    try (var producer = new KafkaProducer<>(Map.of("bootstrap.servers", server, "client.id", client), new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>("beer", "x".repeat(3000))).get();
      return metric(producer.metrics(), "produce-throttle-time-max");
    }
  }

  private static double consumed(String server, String client) {
    Map<String, Object> config = Map.of("bootstrap.servers", server, "client.id", client, "auto.offset.reset", "earliest");
    try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(BEER));
      while (consumer.poll(Duration.ofSeconds(1)).isEmpty()) {}
      return metric(consumer.metrics(), "fetch-throttle-time-max");
    }
  }

  private static double metric(Map<MetricName, ? extends Metric> metrics, String name) {
    return metrics.entrySet().stream().filter((entry) -> entry.getKey().name().equals(name))
        .mapToDouble((entry) -> (Double) entry.getValue().metricValue()).filter((value) -> !Double.isNaN(value)).max().orElse(0);
  }

  private static void check(boolean holds) {
    if (!holds) throw new IllegalStateException("a throttle time is not what it should be");
  }
}
