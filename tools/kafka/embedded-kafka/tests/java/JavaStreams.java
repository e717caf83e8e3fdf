import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;

/** Run by java-streams.test.ts: counts words with a state store, loses the store and counts on from its compacted changelog. */
public final class JavaStreams {
  private static final String CHANGELOG = "count-store-changelog";
  private static String broker;

  public static void main(String[] args) throws Exception {
    broker = args[0];
    Path state = Files.createTempDirectory("streams-");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker))) {
      admin.createTopics(List.of(new NewTopic("text", 1, (short) 1), new NewTopic("counts", 1, (short) 1))).all().get();
      round(state, List.of("all streams lead to kafka", "hello kafka streams"), Map.of("kafka", 2L, "streams", 2L, "all", 1L));
      ConfigResource changelog = new ConfigResource(ConfigResource.Type.TOPIC, CHANGELOG);
      check(admin.describeConfigs(Set.of(changelog)).all().get().get(changelog).get("cleanup.policy").value(), "compact");
      delete(state);
      round(state, List.of("join kafka summit"), Map.of("kafka", 3L, "summit", 1L));
    } finally {
      delete(state);
    }
    System.out.println("java client done");
  }

  /** Runs the application on these lines until it has given these counts. */
  private static void round(Path state, List<String> lines, Map<String, Long> expected) throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (KafkaStreams streams = wordCount(state)) {
      streams.setUncaughtExceptionHandler(error -> {
        failure.set(error);
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
      });
      streams.start();
      try (KafkaProducer<String, String> producer = new KafkaProducer<>(
          Map.of("bootstrap.servers", broker), new StringSerializer(), new StringSerializer())) {
        for (String line : lines) producer.send(new ProducerRecord<>("text", line)).get();
      }
      await(expected, failure);
    }
  }

  private static KafkaStreams wordCount(Path state) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream("text", Consumed.with(Serdes.String(), Serdes.String()))
        .flatMapValues(line -> Arrays.asList(line.split(" ")))
        .groupBy((key, word) -> word, Grouped.with(Serdes.String(), Serdes.String()))
        .count(Materialized.as("store"))
        .toStream()
        .to("counts", Produced.with(Serdes.String(), Serdes.Long()));
    Properties settings = new Properties();
    settings.put("application.id", "count");
    settings.put("bootstrap.servers", broker);
    settings.put("state.dir", state.toString());
    settings.put("processing.guarantee", "exactly_once_v2");
    settings.put("commit.interval.ms", "100");
    return new KafkaStreams(builder.build(), settings);
  }

  /** The last count of a word is in the topic sooner or later. */
  private static void await(Map<String, Long> expected, AtomicReference<Throwable> failure) {
    Map<String, Object> settings = Map.of("bootstrap.servers", broker, "group.id", "reader-" + System.nanoTime(),
        "auto.offset.reset", "earliest", "isolation.level", "read_committed");
    Map<String, Long> counts = new HashMap<>();
    long deadline = System.currentTimeMillis() + 90_000;
    try (KafkaConsumer<String, Long> consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new LongDeserializer())) {
      consumer.subscribe(Set.of("counts"));
      while (!counts.entrySet().containsAll(expected.entrySet())) {
        if (failure.get() != null) throw new AssertionError("the application failed", failure.get());
        if (System.currentTimeMillis() > deadline) throw new AssertionError("counted " + counts + ", expected " + expected);
        for (ConsumerRecord<String, Long> each : consumer.poll(Duration.ofMillis(200))) counts.put(each.key(), each.value());
      }
    }
  }

  private static void check(Object actual, Object expected) {
    if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", got " + actual);
  }

  private static void delete(Path folder) throws Exception {
    if (!Files.exists(folder)) return;
    try (var files = Files.walk(folder)) {
      for (Path path : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(path);
    }
  }
}
