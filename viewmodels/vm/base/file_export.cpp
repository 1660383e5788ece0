#include "vm/base/file_export.hpp"

#include <QFileInfo>

#include <utility>

namespace pollard::vm {

void FileExport::write(const QString& path, const QString& title, Writer writer) {
    busy_ = true;
    emit availableChanged();
    const QFileInfo target(path);
    worker_.post(
        Lane::save,
        [writer = std::move(writer), file = target.filesystemAbsoluteFilePath()](const std::stop_token& stop) {
            writer(file, JobControl(stop));
        },
        [this, title, written = target.absoluteFilePath()](LatestWinsWorker::Generation, const JobOutcome& outcome) {
            busy_ = false;
            emit availableChanged();
            if (outcome.ok()) {
                emit saved(written);
            } else {
                emit failed(title, QString::fromStdString(outcome.message));
            }
        });
}

} // namespace pollard::vm
