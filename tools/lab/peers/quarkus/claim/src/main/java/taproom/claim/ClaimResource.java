package taproom.claim;

import io.smallrye.common.annotation.NonBlocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.jwt.Claims;
import org.eclipse.microprofile.jwt.JsonWebToken;

/** The name of a verified token with the role Subscriber. */
@Path("/secure/claim")
public class ClaimResource {
    private final JsonWebToken token;

    ClaimResource(JsonWebToken token) {
        this.token = token;
    }

    @GET
    @RolesAllowed("Subscriber")
    @Produces(MediaType.TEXT_PLAIN)
    @NonBlocking
    public String claim() {
        return token.getClaim(Claims.preferred_username);
    }
}
