#include "batch/joined_table.hpp"

#include "base/error.hpp"
#include "batch/input_files.hpp"
#include "components/object_places.hpp"
#include "components/objects/object_features.hpp"
#include "components/objects/object_files.hpp"
#include "image/length_unit.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/page_selection.hpp"
#include "io/write/text_file.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
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

/// The axes on which an image has several positions, in the order of the columns.
std::vector<char> axesOf(const std::vector<BatchResult>& results) {
    std::vector<char> axes;
    for (const char axis : {kSceneAxis, 'c', 'z', 't', 'p'}) {
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

/// Whether an image states distances on the axis.
bool hasDistance(char axis, const std::vector<BatchResult>& results) {
    const auto isStated = [&](const AxisPosition& position) { return position.axis == axis && position.distance; };
    return std::ranges::any_of(results, [&](const BatchResult& result) {
        return result.error.empty() && std::ranges::any_of(result.positions, isStated);
    });
}

/// Columns of an axis.
struct AxisColumns {
    char axis = 'p';
    bool hasDistance = false;
};

/// The positions of an image on the axes, each after a comma.
std::string positionCells(const std::vector<AxisPosition>& positions, const std::vector<AxisColumns>& columns) {
    std::string cells;
    for (const AxisColumns& column : columns) {
        cells += ",";
        const auto found = std::ranges::find(positions, column.axis, &AxisPosition::axis);
        if (found != positions.end()) {
            const bool isNamed = column.axis == kSceneAxis && !found->label.empty();
            const bool isWord = column.axis == 'c' || isNamed || found->index < 0;
            cells += isWord ? csvField(found->label) : std::to_string(found->index);
        }
        if (column.hasDistance) {
            cells += ",";
            cells += found != positions.end() && found->distance ? factNumber(*found->distance) : std::string();
        }
    }
    return cells;
}

/// The names of features in a line of names; further columns follow.
std::string_view featureNames(std::string_view names) {
    static const std::string last = "," + std::string(tableFeatures(Connectivity::eight).features.back().id);
    const std::size_t found = names.find(last);
    return found == std::string_view::npos ? names : names.substr(0, found + last.size());
}

/// Opens a table and reads its line of names.
std::ifstream openTable(const fs::path& table, std::string& names) {
    std::ifstream source(table);
    if (!std::getline(source, names)) {
        throw Error(ErrorCode::fileUnreadable, "cannot read table: " + table.string());
    }
    return source;
}

/// A column of the joined table.
struct JoinedColumn {
    std::string name;  ///< in the tables; another name if none has it
    std::string title; ///< in the joined table
};

/// The columns that the steps choose, each once; nothing if a step that writes a table chooses none.
std::vector<std::string> chosenColumns(const Recipe& recipe) {
    std::vector<std::string> chosen;
    for (const RecipeStep& step : recipe.steps) {
        const auto* const objects = std::get_if<ObjectsStep>(&step);
        if (objects == nullptr || std::ranges::find(objects->files, ObjectFile::table) == objects->files.end()) {
            continue;
        }
        if (objects->columns.empty()) {
            return {};
        }
        std::ranges::copy_if(objects->columns, std::back_inserter(chosen), [&](const std::string& column) {
            return std::ranges::find(chosen, column) == chosen.end();
        });
    }
    return chosen;
}

/// A column by its id, in the unit that tables with these columns state.
JoinedColumn joinedColumn(const std::string& id, std::span<const std::string> names, bool inVolumes) {
    const auto feature = findObjectFeature(id, objectFeatures(inVolumes ? Connectivity::six : Connectivity::four));
    if (!feature) {
        return {id, placeTitle(id)};
    }
    const ObjectFeatureInfo& info = objectFeatureInfo(*feature, inVolumes);
    for (const LengthUnit unit : kLengthUnits) {
        if (std::string name = columnOf(info, unit); std::ranges::find(names, name) != names.end()) {
            return {std::move(name), titleOf(info, unit)};
        }
    }
    return {id, titleOf(info, LengthUnit::pixel)};
}

/// Appends the lines of tables to one file.
class TableJoiner {
public:
    TableJoiner(const fs::path& target, std::string titles, const JobControl& control)
        : file_(target, "cannot write table"), titles_(std::move(titles)), control_(control) {}

    /// Adds the columns of a table, except columns of axes, which the titles have. To be called before add().
    void addColumns(const fs::path& table) {
        std::string names;
        (void)openTable(table, names);
        if (!names_.empty() && featureNames(names) != featureNames(names_)) {
            throw Error(ErrorCode::fileDamaged, "cannot join table: " + table.string() + ": its columns differ");
        }
        const std::vector<std::string> known = csvFields(titles_ + "," + names_);
        for (const std::string& name : csvFields(names)) {
            if (std::ranges::find(known, name) == known.end()) {
                names_ += (names_.empty() ? "" : ",") + csvField(name);
            }
        }
    }
    /// Drops all other columns. To be called after addColumns(). @param ids none: keeps all columns
    void choose(const std::vector<std::string>& ids, bool inVolumes) {
        const std::vector<std::string> names = csvFields(names_);
        for (const std::string& id : ids) {
            chosen_.push_back(joinedColumn(id, names, inVolumes));
        }
    }
    void writeNames() {
        std::string titles;
        for (const JoinedColumn& column : chosen_) {
            titles += (titles.empty() ? "" : ",") + csvField(column.title);
        }
        write(titles_, chosen_.empty() ? names_ : titles);
    }

    void add(const fs::path& table, const std::string& cells) {
        std::string line;
        std::ifstream source = openTable(table, line);
        const bool isSame = chosen_.empty() && line == names_;
        std::vector<std::string> all = chosen_.empty() ? csvFields(names_) : std::vector<std::string>();
        std::ranges::transform(chosen_, std::back_inserter(all), &JoinedColumn::name);
        const std::vector<std::string> own = csvFields(line);
        while (std::getline(source, line)) {
            write(cells, isSame ? line : spread(csvFields(line), own, all));
        }
        if (source.bad()) {
            throw Error(ErrorCode::fileUnreadable, "cannot read table: " + table.string());
        }
    }

    void commit() { file_.commit(); }

private:
    /// The cells of a line in all columns, empty if the table has no such column.
    static std::string spread(const std::vector<std::string>& cells, std::span<const std::string> own,
                              std::span<const std::string> all) {
        std::string line;
        for (const std::string& name : all) {
            const auto at = static_cast<std::size_t>(std::ranges::find(own, name) - own.begin());
            line += (&name == all.data() ? "" : ",") + (at < cells.size() ? csvField(cells[at]) : std::string());
        }
        return line;
    }
    void write(const std::string& cells, const std::string& line) {
        file_ << cells << (line.empty() ? "" : ",") << line;
        file_.endLine(control_);
    }

    TextFile file_;
    std::string titles_;
    const JobControl& control_;
    std::string names_;                ///< of the columns of all tables
    std::vector<JoinedColumn> chosen_; ///< of these; empty: all
};

} // namespace

bool writesTables(const Recipe& recipe) { return std::ranges::any_of(filesOf(recipe), isTable); }

void writeJoinedTable(const fs::path& file, const Recipe& recipe, const std::vector<BatchItem>& items,
                      const std::vector<BatchResult>& results, const JobControl& control) {
    const std::vector<RecipeFile> files = filesOf(recipe);
    const bool several = std::ranges::count_if(files, isTable) > 1;
    std::vector<AxisColumns> axes;
    std::string titles = "file";
    for (const char axis : axesOf(results)) {
        axes.push_back({axis, hasDistance(axis, results)});
        titles += "," + std::string(axisName(axis)) + (axes.back().hasDistance ? "," + distanceColumn(axis) : "");
    }
    TableJoiner joining(file, titles + (several ? ",step" : ""), control);
    const auto forEachTable = [&](const auto& visit) {
        for (std::size_t i = 0; i < items.size(); ++i) {
            for (std::size_t number = 0; number < files.size(); ++number) {
                if (results[i].error.empty() && isTable(files[number])) {
                    visit(i, number);
                }
            }
        }
    };
    forEachTable([&](std::size_t i, std::size_t number) { joining.addColumns(items[i].targets[number]); });
    joining.choose(chosenColumns(recipe), readsVolume(recipe));
    joining.writeNames();
    forEachTable([&](std::size_t i, std::size_t number) {
        joining.add(items[i].targets[number],
                    nameOf(items[i].input) + positionCells(results[i].positions, axes) +
                        (several ? "," + std::to_string(files[number].number + 1) : std::string()));
    });
    joining.commit();
}

} // namespace pollard
