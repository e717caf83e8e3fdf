package taproom.stream;

import io.smallrye.mutiny.Multi;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.jboss.resteasy.reactive.RestStreamElementType;

/** Priced beers as server-sent events. */
@Path("/beer")
public class BeerResource {
    private final Multi<PricedBeer> beers;

    BeerResource(@Channel("priced-beer") Multi<PricedBeer> beers) {
        this.beers = beers;
    }

    @GET
    @Produces(MediaType.SERVER_SENT_EVENTS)
    @RestStreamElementType(MediaType.APPLICATION_JSON)
    public Multi<PricedBeer> stream() {
        return beers;
    }
}
