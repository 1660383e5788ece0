#include "csv_table.hpp"

#include "io/write/atomic_file.hpp"
#include "io/write/csv_field.hpp"

namespace pollard::cli {

void writeCsv(const std::filesystem::path& file, const std::vector<std::vector<std::string>>& rows,
              const std::string& what) {
    std::string text;
    for (const std::vector<std::string>& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            text += (i > 0 ? "," : "") + csvField(row[i]);
        }
        text += '\n';
    }
    AtomicFile target(file, what);
    target.writeAll(text.data(), text.size());
    target.commit();
}

} // namespace pollard::cli
