import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;

/** Run by java-client.test.ts: asks for offsets by time, within batches of every compression. */
public final class JavaOffsetsByTime {
  /** An hour ago: a record each millisecond, but for one in between that is ten seconds ahead. */
  private static final long BEGIN = System.currentTimeMillis() - 3_600_000;
  private static final int RECORDS = 100;
  private static final int AHEAD = 70;

  public static void main(String[] args) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", args[0]))) {
      for (String compression : new String[] {"none", "gzip", "snappy", "lz4", "zstd"}) {
        produceOneBatch(args[0], compression);
        TopicPartition partition = new TopicPartition("time-" + compression, 0);
        check(admin, partition, OffsetSpec.forTimestamp(BEGIN + 43), 43, BEGIN + 43, 0);
        check(admin, partition, OffsetSpec.forTimestamp(BEGIN + AHEAD), AHEAD, BEGIN + 10_000, 0);
        check(admin, partition, OffsetSpec.forTimestamp(BEGIN - 1), 0, BEGIN, 0);
        check(admin, partition, OffsetSpec.forTimestamp(BEGIN + 10_001), -1, -1, -1);
        check(admin, partition, OffsetSpec.maxTimestamp(), AHEAD, BEGIN + 10_000, 0);
        check(admin, partition, OffsetSpec.earliest(), 0, -1, 0);
        check(admin, partition, OffsetSpec.earliestLocal(), 0, -1, 0);
        check(admin, partition, OffsetSpec.latest(), RECORDS, -1, 0);
        check(admin, partition, OffsetSpec.latestTiered(), -1, -1, -1);
        admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(50))).all().get();
        check(admin, partition, OffsetSpec.forTimestamp(BEGIN + 43), 50, BEGIN + 50, 0);
        check(admin, partition, OffsetSpec.earliest(), 50, -1, 0);
      }
    }
    System.out.println("java client done");
  }

  private static void produceOneBatch(String broker, String compression) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", broker, "compression.type", compression, "linger.ms", 60_000, "batch.size", 500_000);
    String topic = "time-" + compression;
    try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      for (int index = 0; index < RECORDS; index += 1) {
        long time = BEGIN + (index == AHEAD ? 10_000 : index);
        producer.send(new ProducerRecord<>(topic, 0, time, "key", "value " + index));
      }
      producer.flush();
    }
  }

  private static void check(Admin admin, TopicPartition partition, OffsetSpec spec, long offset, long time, int epoch)
      throws Exception {
    ListOffsetsResultInfo found = admin.listOffsets(Map.of(partition, spec)).partitionResult(partition).get();
    String actual = found.offset() + " at " + found.timestamp() + " epoch " + found.leaderEpoch().orElse(-1);
    String expected = offset + " at " + time + " epoch " + epoch;
    String what = partition + " " + spec.getClass().getSimpleName();
    if (!actual.equals(expected)) throw new AssertionError(what + ": expected " + expected + ", got " + actual);
  }
}
