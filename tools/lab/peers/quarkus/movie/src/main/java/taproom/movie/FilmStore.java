package taproom.movie;

import io.agroal.api.AgroalDataSource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** The films of the local database, ordered by id. */
@ApplicationScoped
public class FilmStore {
    private static final String ALL = "select id, title, release_date from films order by id";
    private static final String BETWEEN =
            "select id, title, release_date from films where release_date between ? and ? order by id";

    private final AgroalDataSource database;

    FilmStore(AgroalDataSource database) {
        this.database = database;
    }

    List<LocalFilm> all() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(ALL)) {
            return read(statement);
        }
    }

    List<LocalFilm> ofYear(int year) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(BETWEEN)) {
            statement.setObject(1, LocalDate.of(year, 1, 1));
            statement.setObject(2, LocalDate.of(year, 12, 31));
            return read(statement);
        }
    }

    private static List<LocalFilm> read(PreparedStatement statement) throws SQLException {
        List<LocalFilm> films = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                films.add(new LocalFilm(rows.getInt(1), rows.getString(2), rows.getObject(3, LocalDate.class)));
            }
        }
        return films;
    }
}
