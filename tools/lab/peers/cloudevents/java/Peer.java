import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.http.HttpMessageFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Sends and receives events with the SDK of Java, over the JDK's HTTP. */
public final class Peer {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private static synchronized void say(String name, Object value) throws IOException {
    OUT.println(JSON.writeValueAsString(Map.of(name, value)));
  }

  private static void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      int status = 202;
      try {
        CloudEvent event =
            HttpMessageFactory.createReader(
                    each ->
                        exchange.getRequestHeaders().forEach((name, values) -> each.accept(name, values.get(0))), body)
                .toEvent();
        Map<String, Object> seen = new HashMap<>();
        seen.put("id", event.getId());
        seen.put("source", event.getSource().toString());
        seen.put("subject", event.getSubject());
        seen.put("hasData", event.getData() != null && event.getData().toBytes().length > 0);
        say("received", seen);
      } catch (RuntimeException refusal) {
        status = 400;
        say("refused", String.valueOf(refusal.getMessage()));
      }
      exchange.sendResponseHeaders(status, -1);
    }
  }

  private static void send(HttpClient client, JsonNode order) throws IOException, InterruptedException {
    JsonNode given = order.get("event");
    try {
      CloudEventBuilder builder =
          CloudEventBuilder.v1()
              .withId(given.get("id").textValue())
              .withSource(URI.create(given.get("source").textValue()))
              .withType(given.get("type").textValue());
      if (given.hasNonNull("subject")) builder.withSubject(given.get("subject").textValue());
      if (given.hasNonNull("data")) builder.withData("application/json", JSON.writeValueAsBytes(given.get("data")));
      HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(order.get("url").textValue()));
      HttpMessageFactory.createWriter(
              request::setHeader, body -> request.POST(HttpRequest.BodyPublishers.ofByteArray(body == null ? new byte[0] : body)))
          .writeBinary(builder.build());
      say("sent", client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode());
    } catch (RuntimeException failure) {
      say("failed", String.valueOf(failure.getMessage()));
    }
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext("/", Peer::receive);
    server.start();
    say("port", server.getAddress().getPort());
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) send(client, JSON.readTree(line));
    server.stop(0);
  }
}
