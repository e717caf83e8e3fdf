package taproom.movie;

import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.sql.SQLException;
import java.util.List;
import org.eclipse.microprofile.rest.client.inject.RestClient;
import org.jboss.resteasy.reactive.RestQuery;

/** Films of the database, with details from the remote film service, which is asked for all of them side by side. */
@Path("/movie")
public class MovieResource {
    private final FilmStore films;
    private final FilmService filmService;

    MovieResource(FilmStore films, @RestClient FilmService filmService) {
        this.films = films;
        this.filmService = filmService;
    }

    /** On a worker thread, since JDBC blocks; the rest of the answer is on the event loop. */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Blocking
    public Uni<List<Movie>> movies(@RestQuery Integer year) throws SQLException {
        List<LocalFilm> found = year == null ? films.all() : films.ofYear(year);
        if (found.isEmpty()) return Uni.createFrom().item(List.of());
        List<Uni<Movie>> movies = found.stream().map(this::withDetails).toList();
        return Uni.join().all(movies).andFailFast();
    }

    private Uni<Movie> withDetails(LocalFilm film) {
        return filmService.film(String.valueOf(film.id())).map(remote -> Movie.of(film, remote));
    }
}
