#include "vm/objects/object_export.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"

#include "base/buffer.hpp"
#include "geo/map_coordinates.hpp"
#include "recipe/result_file.hpp"
#include "recipe/result_tags.hpp"

#include <algorithm>
#include <string_view>

namespace pollard::vm {

namespace {

/// The labels of the listed objects of a volume, in a file by the ending of its name.
void writeVolumeLabels(const std::filesystem::path& target, const ObjectListing& listing, const ImageInfo& source,
                       const JobControl& control) {
    const Components& volume = listing.found->components;
    if (listing.labels.size() == volume.count) {
        writeResult32(target, volume.labels.span(), volume.extent(), source, control);
        return;
    }
    Buffer<std::uint32_t> labels(volume.labels.size());
    std::ranges::transform(volume.labels.span(), labels.begin(),
                           [&](std::uint32_t label) { return listing.lists(label) ? label : 0; });
    writeResult32(target, labels.span(), volume.extent(), source, control);
}

} // namespace

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
                  writeVolumeLabels(target, *listing, *source, control);
                  return;
              }
              const bool inDegrees =
                  !components.isVolume() && file == ObjectFile::outlines && positions == GeoJsonIn::degrees;
              const auto map =
                  inDegrees ? MapCoordinates::of(source->carried, components.width, components.height) : nullptr;
              writeObjectFile(file, target, components, listing->labels, resultOptions(*source, ResultValues::others),
                              control, map.get(), unit, listing->columnList());
          });
}

} // namespace pollard::vm
