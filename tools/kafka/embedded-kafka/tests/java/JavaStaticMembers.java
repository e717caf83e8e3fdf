import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Run by java-client.test.ts: a consumer with a group.instance.id comes back, is fenced and is removed, as on Apache Kafka. */
public final class JavaStaticMembers {
  private static String broker;

  public static void main(String[] args) throws Exception {
    broker = args[0];
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker))) {
      admin.createTopics(Set.of(new NewTopic("static", 4, (short) 1))).all().get();
      KafkaConsumer<String, String> other = consumer("other");
      KafkaConsumer<String, String> first = consumer("one");
      poll(other, 4);
      Thread polling = new Thread(() -> { while (!Thread.interrupted()) try { other.poll(Duration.ofMillis(50)); } catch (Exception e) { return; } });
      polling.start();
      poll(first, 2);
      int generation = first.groupMetadata().generationId();
      first.close();
      KafkaConsumer<String, String> second = consumer("one");
      poll(second, 2);
      check(second.groupMetadata().generationId(), generation);
      check(admin.describeConsumerGroups(Set.of("static")).all().get().get("static").members().stream()
          .map(each -> each.groupInstanceId().orElse("none")).sorted().toList().toString(), "[one, other]");
      KafkaConsumer<String, String> usurper = consumer("one");
      poll(usurper, 2);
      try {
        for (int i = 0; i < 100; i++) second.poll(Duration.ofMillis(100));
        throw new AssertionError("the process whose place was taken was not fenced");
      } catch (FencedInstanceIdException expected) {
        second.close();
      }
      usurper.close();
      polling.interrupt();
      polling.join();
      admin.removeMembersFromConsumerGroup("static",
          new RemoveMembersFromConsumerGroupOptions(Set.of(new MemberToRemove("one"), new MemberToRemove("other")))).all().get();
      check(admin.describeConsumerGroups(Set.of("static")).all().get().get("static").members().size(), 0);
      other.close();
    }
    System.out.println("java client done");
  }

  private static void check(Object actual, Object expected) {
    if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", got " + actual);
  }

  private static KafkaConsumer<String, String> consumer(String instance) {
    KafkaConsumer<String, String> consumer = new KafkaConsumer<>(Map.of("bootstrap.servers", broker, "group.id", "static",
        "group.instance.id", instance, "heartbeat.interval.ms", "200", "session.timeout.ms", "30000"),
        new StringDeserializer(), new StringDeserializer());
    consumer.subscribe(Set.of("static"));
    return consumer;
  }

  private static void poll(KafkaConsumer<String, String> consumer, int partitions) {
    long deadline = System.currentTimeMillis() + 60_000;
    while (consumer.assignment().size() != partitions && System.currentTimeMillis() < deadline) consumer.poll(Duration.ofMillis(50));
    check(consumer.assignment().size(), partitions);
  }
}
