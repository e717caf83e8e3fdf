package taproom.stream;

import java.math.BigDecimal;

/** A message of the topic and an event of the stream. */
public record PricedBeer(String name, BigDecimal price) {
}
