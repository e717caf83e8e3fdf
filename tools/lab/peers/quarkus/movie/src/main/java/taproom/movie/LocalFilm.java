package taproom.movie;

import java.time.LocalDate;

/** A film of the database. */
public record LocalFilm(int id, String title, LocalDate releaseDate) {
}
