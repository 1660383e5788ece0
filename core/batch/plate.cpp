#include "batch/plate.hpp"

#include "base/error.hpp"
#include "batch/input_files.hpp"
#include "components/object_places.hpp"
#include "components/objects/object_features.hpp"
#include "components/objects/object_files.hpp"
#include "image/length_unit.hpp"
#include "io/image_file.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/page_selection.hpp"
#include "io/write/text_file.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace pollard {

namespace fs = std::filesystem;

namespace {

/// "2" before "10", "B" before "AA".
bool comesBefore(const std::string& one, const std::string& other) {
    return one.size() != other.size() ? one.size() < other.size() : one < other;
}

/// Row and column of a well.
std::pair<std::string, std::string> placeOf(const fs::path& well, const fs::path& folder) {
    const fs::path relative = well.lexically_relative(folder);
    return {relative.parent_path().generic_string(), relative.filename().string()};
}

std::vector<std::string> orderedNames(std::vector<std::string> names) {
    std::ranges::sort(names, comesBefore);
    const auto end = std::unique(names.begin(), names.end());
    names.erase(end, names.end());
    return names;
}

std::vector<fs::path> fieldsOf(const fs::path& well) {
    const ImageList list = imagesListedBy(well);
    if (list.paths.empty()) {
        return {well}; // an image
    }
    std::vector<fs::path> fields;
    for (std::size_t i = 0; i < list.paths.size(); ++i) {
        if (list.exists[i]) {
            fields.push_back(list.paths[i]);
        }
    }
    return fields;
}

Plate plateFrom(const ImageList& list, const JobControl& control) {
    std::vector<std::string> rows;
    std::vector<std::string> columns;
    for (const fs::path& well : list.paths) {
        auto [row, column] = placeOf(well, list.folder);
        rows.push_back(std::move(row));
        columns.push_back(std::move(column));
    }
    Plate plate{list.folder,
                list.rows.empty() ? orderedNames(rows) : list.rows,
                list.columns.empty() ? orderedNames(columns) : list.columns,
                {}};
    const auto indexIn = [](const std::vector<std::string>& names, const std::string& name) {
        return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    };
    for (std::size_t i = 0; i < list.paths.size(); ++i) {
        control.throwIfStopped();
        Plate::Well well{indexIn(plate.rows, rows[i]), indexIn(plate.columns, columns[i]), rows[i] + '/' + columns[i]};
        if (well.row < plate.rows.size() && well.column < plate.columns.size()) {
            well.fields = list.exists[i] ? fieldsOf(list.paths[i]) : std::vector<fs::path>();
            plate.wells.push_back(std::move(well));
        }
    }
    std::ranges::sort(plate.wells, {}, [](const Plate::Well& well) { return std::pair(well.row, well.column); });
    return plate;
}

/// Sums of the columns of a table over the objects of a field; empty cells do not count.
struct FieldSums {
    std::uint64_t objects = 0;
    std::vector<double> sums;
    std::vector<std::uint64_t> counts;
};

/// Columns of joined tables whose means are no measurements: numbers of objects and positions.
std::set<std::string> placeTitles() {
    using enum ObjectFeature;
    std::set<std::string> titles{
        "step", "sum_x", "sum_y", "sum_xx", "sum_xy", "sum_yy", distanceColumn('z'), distanceColumn('t')};
    for (const char axis : {kSceneAxis, 'c', 'z', 't', 'p'}) {
        titles.emplace(axisName(axis));
    }
    for (const ObjectFeature feature : {label, left, top, front, centroidX, centroidY, centroidZ}) {
        const ObjectFeatureInfo& info = objectFeatureInfo(feature);
        for (const LengthUnit unit : kLengthUnits) {
            titles.insert(columnOf(info, unit));
            titles.insert(titleOf(info, unit));
        }
    }
    return titles;
}

/// Reads a joined table line by line.
class JoinedSums {
public:
    JoinedSums(const fs::path& table, const Plate& plate) : table_(table), plate_(plate), source_(table) {
        std::string line;
        if (!std::getline(source_, line)) {
            throw Error(ErrorCode::fileUnreadable, "cannot read table: " + table.string());
        }
        titles_ = csvFields(line);
        file_ = static_cast<std::size_t>(std::ranges::find(titles_, "file") - titles_.begin());
        if (file_ == titles_.size()) {
            fail("it has no column 'file'");
        }
        for (const std::set<std::string> places = placeTitles(); const std::string& title : titles_) {
            isNumber_.push_back(!places.contains(title));
        }
        isNumber_[file_] = false;
        for (std::size_t well = 0; well < plate.wells.size(); ++well) {
            for (const fs::path& field : plate.wells[well].fields) {
                wells_.emplace(nameInTables(field).string(), well);
            }
        }
    }

    void read(const JobControl& control) {
        constexpr std::size_t kLinesBetweenLooks = 1024;
        std::string line;
        for (std::size_t number = 2; std::getline(source_, line); ++number) {
            if (number % kLinesBetweenLooks == 0) {
                control.throwIfStopped();
            }
            const std::vector<std::string> cells = csvFields(line);
            if (cells.size() != titles_.size()) {
                fail("line " + std::to_string(number) + " has " + std::to_string(cells.size()) + " cells, the titles " +
                     std::to_string(titles_.size()));
            }
            add(cells);
        }
        if (source_.bad()) {
            throw Error(ErrorCode::fileUnreadable, "cannot read table: " + table_.string());
        }
    }

    [[nodiscard]] PlateValues values() const {
        constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
        PlateValues found{{"objects"}, {std::vector<double>(plate_.wells.size(), kNone)}};
        std::vector<std::vector<const FieldSums*>> fields(plate_.wells.size());
        for (const auto& [name, sums] : fields_) {
            fields[wells_.at(name)].push_back(&sums);
        }
        for (std::size_t well = 0; well < fields.size(); ++well) {
            for (const FieldSums* field : fields[well]) {
                double& count = found.values[0][well];
                count = (std::isnan(count) ? 0 : count) + static_cast<double>(field->objects);
            }
        }
        for (std::size_t column = 0; column < titles_.size(); ++column) {
            if (isNumber_[column]) {
                found.columns.push_back(titles_[column]);
                std::vector<double>& means = found.values.emplace_back();
                for (const auto& each : fields) {
                    means.push_back(meanOf(each, column));
                }
            }
        }
        return found;
    }

private:
    [[noreturn]] void fail(const std::string& why) const {
        throw Error(ErrorCode::fileDamaged, "cannot read table: " + table_.string() + ": " + why);
    }

    void add(const std::vector<std::string>& cells) {
        if (!wells_.contains(cells[file_])) {
            return; // of another plate or page
        }
        FieldSums& field = fields_[cells[file_]];
        field.sums.resize(titles_.size());
        field.counts.resize(titles_.size());
        ++field.objects;
        for (std::size_t column = 0; column < cells.size(); ++column) {
            if (!isNumber_[column] || cells[column].empty()) {
                continue;
            }
            if (const std::optional<double> number = realOf(cells[column])) {
                field.sums[column] += *number;
                ++field.counts[column];
            } else {
                isNumber_[column] = false;
            }
        }
    }

    static double meanOf(const std::vector<const FieldSums*>& fields, std::size_t column) {
        double sum = 0;
        int count = 0;
        for (const FieldSums* field : fields) {
            if (field->counts[column] > 0) {
                sum += field->sums[column] / static_cast<double>(field->counts[column]);
                ++count;
            }
        }
        return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
    }

    fs::path table_;
    const Plate& plate_;
    std::ifstream source_;
    std::vector<std::string> titles_;
    std::size_t file_ = 0;                               ///< column
    std::vector<bool> isNumber_;                         ///< for each column, of a measurement
    std::unordered_map<std::string, std::size_t> wells_; ///< of fields, by their names in tables
    std::map<std::string, FieldSums> fields_;
};

} // namespace

std::optional<Plate> plateOf(const fs::path& path, const JobControl& control) {
    const ImageList list = imagesListedBy(hierarchyOf(path));
    if (list.title != "Wells") {
        return std::nullopt;
    }
    return plateFrom(list, control);
}

std::shared_ptr<const Image> thumbnailOf(const fs::path& path, int page, std::uint32_t side,
                                         const JobControl& control) {
    constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 26U;
    ReadOptions options;
    options.page = page;
    options.threads = 1;
    ImageInfo info = readImageInfo(path, options);
    if (!info.levels.empty()) {
        options.level = static_cast<int>(info.levels.size()) - 1;
        info.width = info.levels.back().width;
        info.height = info.levels.back().height;
    }
    if (std::uint64_t{info.width} * info.height > kMostPixels) {
        throw Error(ErrorCode::limitExceeded, "cannot read image: " + path.string() + ": too large for a small image");
    }
    const std::uint32_t longest = std::max(info.width, info.height);
    options.shrink = static_cast<int>(std::max<std::uint32_t>(1, (longest + side - 1) / side));
    return readImage(path, options, control).image;
}

PlateValues readPlateValues(const fs::path& table, const Plate& plate, const JobControl& control) {
    JoinedSums sums(table, plate);
    sums.read(control);
    return sums.values();
}

} // namespace pollard
