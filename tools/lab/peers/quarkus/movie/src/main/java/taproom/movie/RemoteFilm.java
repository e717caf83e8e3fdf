package taproom.movie;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;

/** What the remote film service knows of a film. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record RemoteFilm(
        String title,
        @JsonProperty("episode_id") int episodeId,
        String producer,
        String director,
        @JsonProperty("opening_crawl") String openingCrawl) {
}
