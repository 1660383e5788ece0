#include "vm/objects/object_export.hpp"

#include "vm/base/data_table.hpp"
#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/objects/object_listing.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"

#include "base/text.hpp"
#include "geo/map_coordinates.hpp"
#include "io/write/text_file.hpp"
#include "recipe/results/result_file.hpp"
#include "recipe/results/result_tags.hpp"

#include <limits>
#include <span>
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
            if (numbers != nullptr && (*numbers)[label - 1] != 0) {
                file << (*numbers)[label - 1];
            } else {
                file << "–";
            }
        }
        file.endLine(control);
    }
    file.commit();
}

QString suffixOf(ObjectFile file) { return fromUtf8(extensionOf(file)); }

ObjectExport::ObjectExport(ObjectTableModel& table, QObject* parent) : FileExport(parent), table_(table) {
    connect(&table_, &ObjectTableModel::listingChanged, this, &ObjectExport::availableChanged);
}

bool ObjectExport::isAvailable() const { return FileExport::isAvailable() && table_.rowCount() > 0; }

void ObjectExport::save(ObjectFile file, const QString& path, GeoJsonIn positions) {
    if (!isAvailable()) {
        return;
    }
    if (file == ObjectFile::table) {
        write(path, tr("The objects were not saved"),
              [shown = table_.shown()](const std::filesystem::path& target, const JobControl& control) {
                  shown.write(target, control);
              });
        return;
    }
    saveIn(table_.scale(), positions, file, path);
}

void ObjectExport::savePixelTable(const QString& path) {
    if (isAvailable()) {
        saveIn(table_.pixelScale(), GeoJsonIn::pixels, ObjectFile::table, path);
    }
}

void ObjectExport::saveIn(const ObjectUnit& unit, GeoJsonIn positions, ObjectFile file, const QString& path) {
    const DocumentViewModel& document = table_.objects().document();
    const bool inVolume = table_.listing()->found->components.isVolume();
    write(path, tr("The objects were not saved"),
          [file, positions, unit, listing = table_.listing(),
           source = inVolume ? document.shown().sourceInfo()
                             : document.imageInfo()](const std::filesystem::path& target, const JobControl& control) {
              const Components& components = listing->found->components;
              if (components.isVolume() && file == ObjectFile::labels) {
                  writeVolumeLabels(target, components, *listing, *source, control);
                  return;
              }
              const bool inDegrees =
                  !components.isVolume() && file == ObjectFile::outlines && positions == GeoJsonIn::degrees;
              const auto map =
                  inDegrees ? MapCoordinates::of(source->carried, components.width, components.height) : nullptr;
              std::span<const ObjectColumn> columns = listing->columnList();
              if (file == ObjectFile::outlines) { // outlines have places, but not the flux, the last of these columns
                  const auto& names = listing->placeNames;
                  columns = columns.subspan(names.size() - (!names.empty() && names.back() == "flux" ? 1 : 0));
              }
              writeObjectFile(file, target, components, listing->labels, resultFacts(*source, ResultValues::others),
                              control, map.get(), unit, columns);
          });
}

} // namespace pollard::vm
