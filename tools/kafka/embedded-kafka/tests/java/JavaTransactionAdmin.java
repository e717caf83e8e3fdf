import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.serialization.StringSerializer;

/** Run by java-client.test.ts: asks who writes, which transactions there are and how they stand, and fences a producer. */
public final class JavaTransactionAdmin {
  public static void main(String[] args) throws Exception {
    Map<String, Object> settings = Map.of("bootstrap.servers", args[0], "transactional.id", "seller");
    TopicPartition partition = new TopicPartition("sold", 0);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", args[0]))) {
      admin.createTopics(Set.of(new NewTopic("sold", 2, (short) 1))).all().get();
      refused(InvalidConfigurationException.class, () -> admin.createTopics(
          Set.of(new NewTopic("kept", 1, (short) 1).configs(Map.of("cleanup.policy", "none")))).all().get());
      check(admin.listTransactions().all().get().size(), 0);
      KafkaProducer<String, String> producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
      producer.initTransactions();
      check(describe(admin).state(), TransactionState.EMPTY);
      producer.beginTransaction();
      for (int i = 0; i < 3; i++) producer.send(new ProducerRecord<>("sold", 0, null, "v" + i)).get();
      TransactionDescription open = describe(admin);
      check(open.state(), TransactionState.ONGOING);
      check(open.topicPartitions(), Set.of(partition));
      check(open.transactionTimeoutMs(), 60_000L);
      var writer = admin.describeProducers(List.of(partition)).partitionResult(partition).get().activeProducers().get(0);
      check(writer.producerId(), open.producerId());
      check(writer.lastSequence(), 2);
      check(writer.currentTransactionStartOffset().getAsLong(), 0L);
      check(writer.lastTimestamp() > 1_600_000_000_000L, true);
      check(listed(admin, TransactionState.ONGOING), List.of("seller"));
      check(listed(admin, TransactionState.COMPLETE_COMMIT), List.of());
      producer.commitTransaction();
      check(describe(admin).state(), TransactionState.COMPLETE_COMMIT);
      check(admin.describeProducers(List.of(partition)).partitionResult(partition).get().activeProducers().get(0)
          .currentTransactionStartOffset().isPresent(), false);
      producer.beginTransaction();
      producer.send(new ProducerRecord<>("sold", 0, null, "lost")).get();
      admin.fenceProducers(List.of("seller")).all().get();
      check(describe(admin).state(), TransactionState.EMPTY);
      try {
        producer.commitTransaction();
        throw new AssertionError("the producer was not fenced");
      } catch (ProducerFencedException expected) {
        producer.close();
      }
      refused(TransactionalIdNotFoundException.class, () -> admin.describeTransactions(List.of("nobody")).all().get());
    }
    System.out.println("java client done");
  }

  private interface Action {
    void run() throws Exception;
  }

  private static void refused(Class<?> expected, Action action) throws Exception {
    try {
      action.run();
      throw new AssertionError("expected " + expected);
    } catch (ExecutionException refusal) {
      check(refusal.getCause().getClass(), expected);
    }
  }

  private static TransactionDescription describe(Admin admin) throws Exception {
    return admin.describeTransactions(List.of("seller")).description("seller").get();
  }

  private static List<String> listed(Admin admin, TransactionState state) throws Exception {
    return admin.listTransactions(new ListTransactionsOptions().filterStates(Set.of(state))).all().get().stream()
        .map(TransactionListing::transactionalId).toList();
  }

  private static void check(Object actual, Object expected) {
    if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", got " + actual);
  }
}
