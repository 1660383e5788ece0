#include "vm/document/series_list.hpp"

#include <QFileInfo>

namespace pollard::vm {

SeriesList::SeriesList(const QString& folder, QObject* parent) : QObject(parent) {
    found_.begin(nullptr);
    found_.compute([path = QFileInfo(folder).filesystemFilePath()](const std::stop_token& stop) {
        return dicomSeriesUnder(path, JobControl(stop));
    });
}

const std::vector<DicomSeries>& SeriesList::series() const noexcept {
    static const std::vector<DicomSeries> kNone;
    return found_.value() ? *found_.value() : kNone;
}

} // namespace pollard::vm
