#include "csv_table.hpp"

#include "io/write/atomic_file.hpp"

namespace pollard::cli {

namespace {

std::string quoted(const std::string& field) {
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
        return field;
    }
    std::string text = "\"";
    for (const char c : field) {
        text += c == '"' ? "\"\"" : std::string(1, c);
    }
    return text + "\"";
}

} // namespace

void writeCsv(const std::filesystem::path& file, const std::vector<std::vector<std::string>>& rows,
              const std::string& what) {
    std::string text;
    for (const std::vector<std::string>& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            text += (i > 0 ? "," : "") + quoted(row[i]);
        }
        text += '\n';
    }
    AtomicFile target(file, what);
    target.writeAll(text.data(), text.size());
    target.commit();
}

} // namespace pollard::cli
