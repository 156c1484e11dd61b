/*
 * The same passages in Xapian, asked for any of the words with its BM25, as
 * English stems and without positions. A program of its own, which is never
 * linked with the project: Xapian's library has another licence.
 *
 *   xapian build INDEX.DB OUT      copy the passages, then compact
 *   xapian ask OUT < QUERIES       milliseconds of processor time, a line each
 */
#include <sqlite3.h>
#include <xapian.h>

#include <ctime>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

static void build(const char *from, const std::string &to)
{
    sqlite3 *db = nullptr;
    sqlite3_stmt *st = nullptr;
    const std::string loose = to + ".loose";

    if (sqlite3_open_v2(from, &db, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK ||
        sqlite3_prepare_v2(db,
                           "SELECT g.title, p.heading, p.text FROM passage p"
                           " JOIN page g ON g.id = p.page ORDER BY p.id",
                           -1, &st, nullptr) != SQLITE_OK)
        throw std::string(sqlite3_errmsg(db));
    Xapian::WritableDatabase out(loose, Xapian::DB_CREATE |
                                            Xapian::DB_BACKEND_GLASS);
    Xapian::TermGenerator words;
    words.set_stemmer(Xapian::Stem("en"));
    words.set_stemming_strategy(Xapian::TermGenerator::STEM_ALL);
    while (sqlite3_step(st) == SQLITE_ROW) {
        Xapian::Document d;

        words.set_document(d);
        for (int i = 0; i < 3; i++)
            words.index_text_without_positions(
                reinterpret_cast<const char *>(sqlite3_column_text(st, i)));
        out.add_document(d);
    }
    sqlite3_finalize(st);
    sqlite3_close(db);
    out.commit();
    out.compact(to);
}

static double now_ms()
{
    timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 +
           static_cast<double>(t.tv_nsec) / 1e6;
}

static void ask(const std::string &path)
{
    Xapian::Database db(path);
    Xapian::Stem stem("en");

    for (std::string line; std::getline(std::cin, line);) {
        const double start = now_ms();
        std::vector<std::string> terms;
        std::istringstream words(line);
        Xapian::Enquire enquire(db);

        for (std::string word; words >> word;)
            terms.push_back(stem(Xapian::Unicode::tolower(word)));
        enquire.set_query(
            Xapian::Query(Xapian::Query::OP_OR, terms.begin(), terms.end()));
        enquire.set_weighting_scheme(Xapian::BM25Weight());
        enquire.get_mset(0, 10).fetch();
        std::cout << now_ms() - start << std::endl;
    }
}

int main(int argc, char **argv)
{
    const std::string what = argc > 1 ? argv[1] : "";

    try {
        if (argc == 4 && what == "build")
            build(argv[2], argv[3]);
        else if (argc == 3 && what == "ask")
            ask(argv[2]);
        else
            throw std::string("usage: xapian build INDEX.DB OUT | ask OUT");
    } catch (const Xapian::Error &e) {
        std::cerr << "xapian: " << e.get_description() << std::endl;
        return 1;
    } catch (const std::string &e) {
        std::cerr << "xapian: " << e << std::endl;
        return 1;
    }
    return 0;
}
