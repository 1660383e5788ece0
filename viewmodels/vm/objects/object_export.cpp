#include "vm/objects/object_export.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "components/volumes/slice_outlines.hpp"
#include "components/volumes/volume_features.hpp"
#include "geo/map_coordinates.hpp"
#include "io/write/text_file.hpp"
#include "recipe/result_file.hpp"
#include "recipe/result_tags.hpp"

#include <algorithm>
#include <string_view>

namespace pollard::vm {

namespace {

/// The labels of the listed objects of a volume.
void writeLabels(const std::filesystem::path& target, const ObjectListing& listing, const ImageInfo& source,
                 const JobControl& control) {
    const VolumeComponents& volume = *listing.found->volume;
    if (listing.labels.size() == volume.count) {
        writeResult32(target, volume.labels.span(), volume.extent, source, control);
        return;
    }
    Buffer<std::uint32_t> labels(volume.labels.size());
    std::ranges::transform(volume.labels.span(), labels.begin(),
                           [&](std::uint32_t label) { return listing.lists(label) ? label : 0; });
    writeResult32(target, labels.span(), volume.extent, source, control);
}

/// @param unit of measurements
void writeFile(ObjectFile file, const std::filesystem::path& target, const ObjectListing& listing,
               const ImageInfo& source, const VolumeUnit& unit, const JobControl& control) {
    const VolumeComponents& volume = *listing.found->volume;
    switch (file) {
    case ObjectFile::labels:
        writeLabels(target, listing, source, control);
        break;
    case ObjectFile::table: {
        TextFile text(target, "write table of objects");
        writeObjectTable(text, volume, listing.labels, {}, control, unit, listing.columnList());
        text.commit();
        break;
    }
    case ObjectFile::outlines: {
        TextFile text(target, "write outlines");
        writeSliceOutlines(text, volume, listing.labels, control, unit, listing.columnList());
        text.commit();
        break;
    }
    case ObjectFile::regions:
        writeSliceRois(target, volume, listing.labels, control);
        break;
    case ObjectFile::vector:
        throw Error(ErrorCode::formatUnsupported,
                    "write outlines: " + target.string() + ": a volume has no place on a map");
    }
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
    saveIn({table_.unit(), table_.side()}, positions, file, path);
}

void ObjectExport::savePixelTable(const QString& path) {
    if (isAvailable()) {
        saveIn({}, GeoJsonIn::pixels, ObjectFile::table, path);
    }
}

void ObjectExport::saveIn(const ObjectUnit& unit, GeoJsonIn positions, ObjectFile file, const QString& path) {
    if (table_.listing()->found->volume) {
        write(path, tr("The objects were not saved"),
              [file,
               unit =
                   unit.unit == LengthUnit::pixel ? VolumeUnit{LengthUnit::pixel, table_.voxelSides()} : table_.scale(),
               listing = table_.listing(), source = table_.objects().document().shown().sourceInfo()](
                  const std::filesystem::path& target, const JobControl& control) {
                  writeFile(file, target, *listing, *source, unit, control);
              });
        return;
    }
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
