#pragma once

#include "vm/base/async_result.hpp"

#include "formats/dicom/dicom_series.hpp"

#include <QObject>
#include <QString>

#include <vector>

namespace pollard::vm {

/// The DICOM series in a folder and its folders, found on another thread. Its end cancels the search.
class SeriesList : public QObject {
    Q_OBJECT

public:
    explicit SeriesList(const QString& folder, QObject* parent = nullptr);

    [[nodiscard]] bool isSearching() const noexcept { return found_.state() == AsyncState::computing; }
    /// Empty while isSearching(), and after a failure.
    [[nodiscard]] const std::vector<DicomSeries>& series() const noexcept;
    [[nodiscard]] const QString& problem() const noexcept { return found_.problem(); } ///< empty without a failure

signals:
    void changed();

private:
    AsyncResult<std::vector<DicomSeries>> found_{[this] { emit changed(); }};
};

} // namespace pollard::vm
