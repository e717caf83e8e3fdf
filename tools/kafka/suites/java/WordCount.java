import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Produced;

/** Counts the words of a topic exactly once, until it is killed. Arguments: brokers, input topic, output topic, folder of its state. */
class WordCount {
  public static void main(String[] args) throws InterruptedException {
    Properties config = new Properties();
    config.put("bootstrap.servers", args[0]);
    config.put("application.id", "word-count-" + args[1]);
    config.put("state.dir", args[3]);
    config.put("processing.guarantee", "exactly_once_v2");
    config.put("commit.interval.ms", 100);
    // Each word gives one new count.
    config.put("statestore.cache.max.bytes", 0);
    config.put("consumer.auto.offset.reset", "earliest");
    config.put("consumer.session.timeout.ms", 6000);
    config.put("default.key.serde", Serdes.StringSerde.class);
    config.put("default.value.serde", Serdes.StringSerde.class);

    StreamsBuilder builder = new StreamsBuilder();
    builder.<String, String>stream(args[1])
        .flatMapValues(line -> List.of(line.toLowerCase(Locale.ROOT).split(" ")))
        .groupBy((key, word) -> word)
        .count()
        .mapValues(String::valueOf)
        .toStream()
        .to(args[2], Produced.with(Serdes.String(), Serdes.String()));
    KafkaStreams streams = new KafkaStreams(builder.build(), config);
    streams.start();
    Thread.currentThread().join();
  }
}
