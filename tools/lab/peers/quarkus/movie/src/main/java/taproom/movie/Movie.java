package taproom.movie;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.LocalDate;

/** An element of the answer. */
public record Movie(
        String title,
        LocalDate releaseDate,
        int episodeId,
        String producer,
        String director,
        @JsonProperty("opening_crawl") String openingCrawl) {

    static Movie of(LocalFilm local, RemoteFilm remote) {
        return new Movie(
                local.title(),
                local.releaseDate(),
                remote.episodeId(),
                remote.producer(),
                remote.director(),
                remote.openingCrawl());
    }
}
