package taproom.movie;

import io.smallrye.mutiny.Uni;
import org.eclipse.microprofile.faulttolerance.ExecutionContext;
import org.eclipse.microprofile.faulttolerance.FallbackHandler;

/** Replaces a film that could not be fetched. */
public class NoFilm implements FallbackHandler<Uni<RemoteFilm>> {
    private static final RemoteFilm NOTHING = new RemoteFilm("", 0, "", "", "");

    @Override
    public Uni<RemoteFilm> handle(ExecutionContext context) {
        return Uni.createFrom().item(NOTHING);
    }
}
