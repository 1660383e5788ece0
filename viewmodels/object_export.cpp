#include "object_export.hpp"

#include "document_view_model.hpp"
#include "object_table_model.hpp"
#include "objects_view_model.hpp"

#include "io/result_tags.hpp"

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

void ObjectExport::save(ObjectFile file, const QString& path) {
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
    saveIn({table_.unit(), table_.side()}, file, path);
}

void ObjectExport::savePixelTable(const QString& path) {
    if (isAvailable()) {
        saveIn({}, ObjectFile::table, path);
    }
}

void ObjectExport::saveIn(const ObjectUnit& unit, ObjectFile file, const QString& path) {
    write(path, tr("The objects were not saved"),
          [file, unit, listing = table_.listing(), source = table_.objects().document().imageInfo()](
              const std::filesystem::path& target, const JobControl& control) {
              writeObjectFile(file, target, listing->found->components, listing->labels,
                              resultTags(*source, ResultValues::others), control, unit);
          });
}

} // namespace pollard::vm
