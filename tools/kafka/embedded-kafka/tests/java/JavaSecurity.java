import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialAlteration;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.DuplicateResourceException;
import org.apache.kafka.common.errors.ResourceNotFoundException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.UnacceptableCredentialException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Run by security.test.ts with the address, the password of alice, and the file of the CA: TLS with every mechanism, and users of SCRAM. */
public final class JavaSecurity {
  private static final String LOGIN = "org.apache.kafka.common.security.";
  private static String server;
  private static String trusted;

  public static void main(String[] args) throws Exception {
    server = args[0];
    String password = args[1];
    trusted = args[2];
    for (String mechanism : List.of("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")) produceAndConsume(user(mechanism, "alice", password));
    produceAndConsume(token());

    try (Admin admin = Admin.create(user("SCRAM-SHA-512", "alice", password))) {
      ScramCredentialInfo info = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096);
      alter(admin, new UserScramCredentialUpsertion("bob", info, "bob's"));
      check(admin.describeUserScramCredentials(List.of("bob")).all().get().get("bob").credentialInfos(), List.of(info));
      check(admin.describeUserScramCredentials().users().get().containsAll(List.of("alice", "bob")), true);
      produceAndConsume(user("SCRAM-SHA-256", "bob", "bob's"));
      fails(SaslAuthenticationException.class, () -> topics(user("SCRAM-SHA-256", "bob", "Bob's")));
      fails(SaslAuthenticationException.class, () -> topics(user("SCRAM-SHA-512", "bob", "bob's")));

      var weak = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4095);
      fails(UnacceptableCredentialException.class, () -> alter(admin, new UserScramCredentialUpsertion("bob", weak, "x")));
      var slow = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 16385);
      fails(UnacceptableCredentialException.class, () -> alter(admin, new UserScramCredentialUpsertion("bob", slow, "x")));
      fails(DuplicateResourceException.class, () -> alter(admin,
          new UserScramCredentialUpsertion("bob", info, "x"), new UserScramCredentialDeletion("bob", ScramMechanism.SCRAM_SHA_256)));
      fails(ResourceNotFoundException.class, () -> alter(admin, new UserScramCredentialDeletion("bob", ScramMechanism.SCRAM_SHA_512)));
      fails(ResourceNotFoundException.class, () -> admin.describeUserScramCredentials(List.of("nobody")).description("nobody").get());

      produceAndConsume(user("SCRAM-SHA-256", "bob", "bob's"));
      alter(admin, new UserScramCredentialDeletion("bob", ScramMechanism.SCRAM_SHA_256));
      fails(SaslAuthenticationException.class, () -> topics(user("SCRAM-SHA-256", "bob", "bob's")));
    }

    Map<String, Object> untrusting = user("PLAIN", "alice", password);
    untrusting.remove("ssl.truststore.location");
    untrusting.remove("ssl.truststore.type");
    fails(SslAuthenticationException.class, () -> topics(untrusting));
    System.out.println("java client done");
  }

  private static Map<String, Object> user(String mechanism, String name, String password) {
    String module = mechanism.equals("PLAIN") ? "plain.PlainLoginModule" : "scram.ScramLoginModule";
    return settings(mechanism, LOGIN + module + " required username=\"" + name + "\" password=\"" + password + "\";");
  }

  private static Map<String, Object> token() {
    return settings("OAUTHBEARER", LOGIN + "oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub=\"alice\";");
  }

  private static Map<String, Object> settings(String mechanism, String jaas) {
    return new HashMap<>(Map.of(
        "bootstrap.servers", server, "security.protocol", "SASL_SSL",
        "ssl.truststore.type", "PEM", "ssl.truststore.location", trusted,
        "sasl.mechanism", mechanism, "sasl.jaas.config", jaas));
  }

  private static void produceAndConsume(Map<String, Object> settings) throws Exception {
    String topic = "t-" + System.nanoTime();
    try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>(topic, "value")).get();
      // Sessions are short: clients have to authenticate anew, and go on.
      while (renewals(producer) < 1) {
        Thread.sleep(100);
        producer.send(new ProducerRecord<>(topic, "value")).get();
      }
    }
    Map<String, Object> reader = new HashMap<>(settings);
    reader.put("group.id", topic);
    reader.put("auto.offset.reset", "earliest");
    try (var consumer = new KafkaConsumer<>(reader, new StringDeserializer(), new StringDeserializer())) {
      consumer.subscribe(List.of(topic));
      while (consumer.poll(Duration.ofMillis(500)).isEmpty()) continue;
    }
  }

  private static double renewals(KafkaProducer<?, ?> producer) {
    return producer.metrics().values().stream()
        .filter(metric -> metric.metricName().name().equals("successful-reauthentication-total"))
        .mapToDouble(metric -> (Double) metric.metricValue()).sum();
  }

  private static void topics(Map<String, Object> settings) throws Exception {
    try (Admin admin = Admin.create(settings)) {
      admin.listTopics().names().get();
    }
  }

  private static void alter(Admin admin, UserScramCredentialAlteration... alterations) throws Exception {
    admin.alterUserScramCredentials(List.of(alterations)).all().get();
  }

  private interface Call {
    void run() throws Exception;
  }

  private static void fails(Class<? extends Exception> expected, Call call) throws Exception {
    try {
      call.run();
    } catch (ExecutionException error) {
      if (expected.isInstance(error.getCause())) return;
      throw error;
    }
    throw new AssertionError("expected " + expected);
  }

  private static void check(Object actual, Object expected) {
    if (!expected.equals(actual)) throw new AssertionError("expected " + expected + ", got " + actual);
  }
}
