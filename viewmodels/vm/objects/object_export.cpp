#include "vm/objects/object_export.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"

#include "geo/map_coordinates.hpp"
#include "recipe/result_tags.hpp"

#include <string_view>

namespace pollard::vm {

QString suffixOf(ObjectFile file) {
    const std::string_view suffix = extensionOf(file);
    return QString::fromUtf8(suffix.data(), static_cast<qsizetype>(suffix.size()));
}

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
    saveIn({table_.unit(), table_.side()}, positions, file, path);
}

void ObjectExport::savePixelTable(const QString& path) {
    if (isAvailable()) {
        saveIn({}, GeoJsonIn::pixels, ObjectFile::table, path);
    }
}

void ObjectExport::saveIn(const ObjectUnit& unit, GeoJsonIn positions, ObjectFile file, const QString& path) {
    write(path, tr("The objects were not saved"),
          [file, positions, unit, listing = table_.listing(), source = table_.objects().document().imageInfo()](
              const std::filesystem::path& target, const JobControl& control) {
              const Components& components = listing->found->components;
              const bool inDegrees = file == ObjectFile::outlines && positions == GeoJsonIn::degrees;
              const auto map =
                  inDegrees ? MapCoordinates::of(source->carried, components.width, components.height) : nullptr;
              writeObjectFile(file, target, components, listing->labels, resultOptions(*source, ResultValues::others),
                              control, map.get(), unit, listing->columnList());
          });
}

} // namespace pollard::vm
