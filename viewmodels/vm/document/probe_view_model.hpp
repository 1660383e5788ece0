#pragma once

#include "vm/document/job_types.hpp"

#include "image/extent.hpp"

#include <QObject>
#include <QPointF>
#include <QString>

#include <optional>

namespace pollard::vm {

class DocumentViewModel;

/// Values of the pixel under the cursor, in the seen image or in a section of its volume. A few table look-ups for
/// images of any size.
class ProbeViewModel : public QObject {
    Q_OBJECT

public:
    /// @param document must outlive this
    explicit ProbeViewModel(DocumentViewModel& document, QObject* parent = nullptr);

    /// The cursor is over a pixel of an open image; otherwise, and where unknown, all values are -1.
    [[nodiscard]] bool isValid() const noexcept { return x_ >= 0; }
    [[nodiscard]] int x() const noexcept { return x_; } ///< px from the left
    [[nodiscard]] int y() const noexcept { return y_; } ///< px from the top
    [[nodiscard]] int z() const noexcept { return z_; } ///< slice of a volume, else 0
    [[nodiscard]] bool isInSection() const noexcept { return section_.has_value(); }
    /// Where the pixel lies in the patient, see patientText(); empty if that is unknown.
    [[nodiscard]] QString patientPlace() const;
    [[nodiscard]] bool hasData() const noexcept { return hasData_; } ///< false where the file has a gap
    [[nodiscard]] int original() const noexcept { return original_; }
    [[nodiscard]] int filtered() const noexcept { return filtered_; }
    [[nodiscard]] qint64 node() const noexcept { return node_; } ///< smallest component that contains the pixel
    [[nodiscard]] int level() const noexcept { return level_; }  ///< grey level of that node
    [[nodiscard]] qint64 area() const noexcept { return area_; } ///< px of that node
    [[nodiscard]] QString text() const;                          ///< one line for the status bar; empty if not valid
    /// The values before and after the filter with their unit; "unknown".
    [[nodiscard]] QString originalText() const;
    [[nodiscard]] QString filteredText() const;
    /// The levels of the values before and after, for a tool tip; empty if they are the same, or unknown.
    [[nodiscard]] QString levelsText() const;

public slots:
    /// @param image position in image coordinates (ViewTransform::toImage)
    void setPosition(const QPointF& image);
    /// @param place px in the image of a section of the document's volume
    void setSection(const pollard::vm::ShownSlice& section, const QPointF& place);
    void clear();

signals:
    void changed();

private:
    void refresh();

    DocumentViewModel& document_;
    std::optional<ShownSlice> section_; ///< that has the position; unset: the seen image
    QPointF position_;
    bool hasPosition_ = false;
    int x_ = -1;
    int y_ = -1;
    int z_ = -1;
    bool hasData_ = true;
    int original_ = -1;
    int filtered_ = -1;
    qint64 node_ = -1;
    int level_ = -1;
    qint64 area_ = -1;
};

} // namespace pollard::vm
