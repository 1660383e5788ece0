#include "object_export.hpp"

#include "document_view_model.hpp"
#include "object_table_model.hpp"
#include "objects_view_model.hpp"

#include "io/result_tags.hpp"

#include <QFileInfo>

#include <string_view>

namespace pollard::vm {

QString suffixOf(ObjectFile file) {
    const std::string_view suffix = extensionOf(file);
    return QString::fromUtf8(suffix.data(), static_cast<qsizetype>(suffix.size()));
}

ObjectExport::ObjectExport(ObjectTableModel& table, QObject* parent) : QObject(parent), table_(table) {
    connect(&table_, &ObjectTableModel::listingChanged, this, &ObjectExport::availableChanged);
}

bool ObjectExport::isAvailable() const { return !busy_ && table_.rowCount() > 0; }

void ObjectExport::save(ObjectFile file, const QString& path) {
    if (!isAvailable()) {
        return;
    }
    busy_ = true;
    emit availableChanged();
    const QFileInfo target(path);
    worker_.post(
        Lane::save,
        [file, listing = table_.listing(), source = table_.objects().document().imageInfo(),
         target = target.filesystemAbsoluteFilePath()](const std::stop_token& stop) {
            writeObjectFile(file, target, listing->found->components, listing->labels,
                            resultTags(*source, ResultValues::others), JobControl(stop));
        },
        [this, path = target.absoluteFilePath()](LatestWinsWorker::Generation, const JobOutcome& outcome) {
            busy_ = false;
            emit availableChanged();
            if (outcome.ok()) {
                emit saved(path);
            } else {
                emit failed(tr("The objects were not saved"), QString::fromStdString(outcome.message));
            }
        });
}

} // namespace pollard::vm
