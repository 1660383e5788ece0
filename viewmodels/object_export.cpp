#include "object_export.hpp"

#include "object_table_model.hpp"

#include "components/object_files.hpp"
#include "components/outlines.hpp"
#include "io/text_file.hpp"

#include <QFileInfo>

#include <filesystem>

namespace pollard::vm {

namespace {

void write(ObjectFile file, const std::filesystem::path& path, const ObjectListing& listing,
           const JobControl& control) {
    const Components& components = listing.found->components;
    switch (file) {
    case ObjectFile::table: {
        TextFile text(path, "write table of objects");
        writeObjectTable(text, components, listing.labels, control);
        text.commit();
        break;
    }
    case ObjectFile::labels:
        writeObjectLabels(path, components, listing.labels, control);
        break;
    case ObjectFile::outlines: {
        TextFile text(path, "write outlines");
        writeObjectOutlines(text, components, traceOutlines(components, control), listing.labels, control);
        text.commit();
        break;
    }
    case ObjectFile::regions:
        writeObjectRois(path, components, traceOutlines(components, control), listing.labels, control);
        break;
    }
}

} // namespace

QString suffixOf(ObjectFile file) {
    switch (file) {
    case ObjectFile::labels:
        return QStringLiteral("tif");
    case ObjectFile::outlines:
        return QStringLiteral("geojson");
    case ObjectFile::regions:
        return QStringLiteral("zip");
    case ObjectFile::table:
        break;
    }
    return QStringLiteral("csv");
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
        [file, listing = table_.listing(), target = target.filesystemAbsoluteFilePath()](const std::stop_token& stop) {
            write(file, target, *listing, JobControl(stop));
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
