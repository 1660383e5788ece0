#include "vm/objects/shown_objects.hpp"

#include "vm/base/data_table.hpp"
#include "vm/objects/tracked_stack.hpp"

#include "io/write/csv_field.hpp"
#include "io/write/text_file.hpp"

#include <limits>
#include <string_view>
#include <vector>

namespace pollard::vm {

namespace {

std::string_view viewOf(const QByteArray& bytes) { return {bytes.constData(), static_cast<std::size_t>(bytes.size())}; }

} // namespace

void ShownObjects::write(const std::filesystem::path& target, const JobControl& control) const {
    TextFile file(target, "write table of objects");
    file << viewOf(header);
    const auto* const numbers = tracks ? tracks->tracksOf(*listing->found) : nullptr;
    std::vector<const ObjectColumn*> found;
    for (const std::string& name : further) {
        found.push_back(findColumn(listing->columnList(), name));
    }
    for (const std::uint32_t label : listing->labels) {
        for (std::size_t column = 0; column < columns.size(); ++column) {
            const double value = listing->value(label, columns[column], unit);
            file << (column == 0 ? "" : ",") << viewOf(exactNumber(value).toLatin1());
        }
        for (const ObjectColumn* column : found) {
            if (column != nullptr && column->classes) {
                const ObjectClass* const own = column->classes->classOf(label);
                file << ',' << (own != nullptr ? csvField(own->name) : std::string());
                continue;
            }
            const double value = column != nullptr ? column->valueOf(label) : std::numeric_limits<double>::quiet_NaN();
            file << ',' << viewOf(exactNumber(value).toLatin1());
        }
        if (hasTracks) {
            file << ',';
            if (numbers != nullptr) {
                file << (*numbers)[label - 1];
            } else {
                file << "–";
            }
        }
        file.endLine(control);
    }
    file.commit();
}

} // namespace pollard::vm
