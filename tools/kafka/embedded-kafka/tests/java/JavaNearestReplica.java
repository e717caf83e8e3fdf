import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Run by rack-aware.test.ts: a consumer that says where it is reads a record. */
public final class JavaNearestReplica {
  public static void main(String[] args) {
    Map<String, Object> config = Map.of("bootstrap.servers", args[0], "client.rack", "b", "auto.offset.reset", "earliest");
    try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(Set.of(new TopicPartition("beers", 0)));
      var records = consumer.poll(Duration.ofSeconds(1));
      while (records.isEmpty()) records = consumer.poll(Duration.ofSeconds(1));
    }
    System.out.println("java client done");
  }
}
