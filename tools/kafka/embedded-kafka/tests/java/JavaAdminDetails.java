import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListConfigResourcesOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.admin.ReplicaInfo;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringSerializer;

/** Run by java-client.test.ts: asks for what tools show beyond topics and groups. */
public final class JavaAdminDetails {
  public static void main(String[] args) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", args[0]))) {
      List<NewTopic> topics = new ArrayList<>();
      for (String name : List.of("one", "two", "three")) topics.add(new NewTopic(name, 5, (short) 1));
      admin.createTopics(topics).all().get();
      try (var producer = new KafkaProducer<>(Map.of("bootstrap.servers", args[0]), new StringSerializer(), new StringSerializer())) {
        producer.send(new ProducerRecord<>("two", 3, "key", "value")).get();
      }
      int broker = admin.describeCluster().nodes().get().iterator().next().id();

      Set<String> resources = names(admin, Set.of());
      check(resources.containsAll(Set.of("TOPIC one", "TOPIC two", "TOPIC three", "BROKER " + broker)), true);
      check(names(admin, Set.of(ConfigResource.Type.BROKER)), Set.of("BROKER " + broker));

      Map<TopicPartition, ReplicaInfo> replicas =
          admin.describeLogDirs(Set.of(broker)).allDescriptions().get().get(broker).values().iterator().next().replicaInfos();
      check(replicas.get(new TopicPartition("two", 3)).size() > 60, true);
      check(replicas.get(new TopicPartition("one", 0)).size(), 0L);
      check(replicas.get(new TopicPartition("one", 0)).isFuture(), false);

      QuorumInfo quorum = admin.describeMetadataQuorum().quorumInfo().get();
      check(quorum.leaderId(), broker);
      check(quorum.voters().stream().map(QuorumInfo.ReplicaState::replicaId).toList(), List.of(broker));

      // In pages that end within a topic.
      var described = admin.describeTopics(List.of("two", "one", "three"), new DescribeTopicsOptions().partitionSizeLimitPerResponse(2));
      described.allTopicNames().get().forEach((name, topic) -> {
        check(topic.name(), name);
        check(topic.partitions().stream().map(each -> each.partition()).toList(), List.of(0, 1, 2, 3, 4));
        check(topic.partitions().get(4).leader().id(), broker);
      });

      admin.alterConsumerGroupOffsets("g", Map.of(new TopicPartition("one", 0), new OffsetAndMetadata(0))).all().get();
      check(admin.describeConsumerGroups(Set.of("g")).all().get().get("g").members().size(), 0);
    }
    System.out.println("java client done");
  }

  private static Set<String> names(Admin admin, Set<ConfigResource.Type> types) throws Exception {
    return Set.copyOf(admin.listConfigResources(types, new ListConfigResourcesOptions()).all().get().stream()
        .map(each -> each.type() + " " + each.name()).toList());
  }

  private static void check(Object actual, Object expected) {
    if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", got " + actual);
  }
}
