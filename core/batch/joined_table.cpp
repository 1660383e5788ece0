#include "batch/joined_table.hpp"

#include "base/error.hpp"
#include "batch/input_files.hpp"
#include "io/write/csv_field.hpp"
#include "io/write/text_file.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace pollard {

namespace fs = std::filesystem;

namespace {

bool isTable(const RecipeFile& file) {
    const auto* const kind = std::get_if<ObjectFile>(&file.kind);
    return kind != nullptr && *kind == ObjectFile::table;
}

std::string nameOf(const BatchInput& input) {
    return csvField(nameInTables(input.path).string() +
                    (input.page == 0 ? "" : "[" + std::to_string(input.page) + "]"));
}

/// The axes on which a picture has several positions, in the order of the columns.
std::vector<char> axesOf(const std::vector<BatchResult>& results) {
    std::vector<char> axes;
    for (const char axis : {'c', 'z', 't', 'p'}) {
        const auto isOnAxis = [&](const BatchResult& result) {
            return result.error.empty() &&
                   std::ranges::find(result.positions, axis, &AxisPosition::axis) != result.positions.end();
        };
        if (std::ranges::any_of(results, isOnAxis)) {
            axes.push_back(axis);
        }
    }
    return axes;
}

std::string titleOf(char axis) { return axis == 'c' ? "channel" : axis == 'p' ? "page" : std::string(1, axis); }

/// The positions of a picture on the axes, with a comma before each.
std::string cellsOf(const std::vector<AxisPosition>& positions, const std::vector<char>& axes) {
    std::string cells;
    for (const char axis : axes) {
        cells += ",";
        const auto found = std::ranges::find(positions, axis, &AxisPosition::axis);
        if (found != positions.end()) {
            const bool isWord = axis == 'c' || found->index < 0;
            cells += isWord ? csvField(found->label) : std::to_string(found->index);
        }
    }
    return cells;
}

/// Appends the lines of tables to one file.
class Joining {
public:
    Joining(const fs::path& target, std::string titles, const JobControl& control)
        : file_(target, "cannot write table"), titles_(std::move(titles)), control_(control) {}

    void add(const fs::path& table, const std::string& cells) {
        std::ifstream source(table);
        std::string line;
        if (!std::getline(source, line)) {
            throw Error(ErrorCode::fileUnreadable, "cannot read table: " + table.string());
        }
        if (columns_.empty()) {
            columns_ = line;
            write(titles_, line);
        } else if (line != columns_) {
            throw Error(ErrorCode::fileDamaged, "cannot join table: " + table.string() + ": its columns differ");
        }
        while (std::getline(source, line)) {
            write(cells, line);
        }
        if (source.bad()) {
            throw Error(ErrorCode::fileUnreadable, "cannot read table: " + table.string());
        }
    }

    void commit() {
        if (columns_.empty()) {
            write(titles_, {});
        }
        file_.commit();
    }

private:
    void write(const std::string& cells, const std::string& line) {
        file_ << cells << (line.empty() ? "" : ",") << line;
        file_.endLine(control_);
    }

    TextFile file_;
    std::string titles_;
    const JobControl& control_;
    std::string columns_; ///< of the tables
};

} // namespace

bool writesTables(const Recipe& recipe) { return std::ranges::any_of(filesOf(recipe), isTable); }

void writeJoinedTable(const fs::path& file, const Recipe& recipe, const std::vector<BatchItem>& items,
                      const std::vector<BatchResult>& results, const JobControl& control) {
    const std::vector<RecipeFile> files = filesOf(recipe);
    const bool several = std::ranges::count_if(files, isTable) > 1;
    const std::vector<char> axes = axesOf(results);
    std::string titles = "file";
    for (const char axis : axes) {
        titles += "," + titleOf(axis);
    }
    Joining joining(file, titles + (several ? ",step" : ""), control);
    for (std::size_t i = 0; i < items.size(); ++i) {
        for (std::size_t number = 0; number < files.size(); ++number) {
            if (results[i].error.empty() && isTable(files[number])) {
                joining.add(items[i].targets[number],
                            nameOf(items[i].input) + cellsOf(results[i].positions, axes) +
                                (several ? "," + std::to_string(files[number].number + 1) : std::string()));
            }
        }
    }
    joining.commit();
}

} // namespace pollard
