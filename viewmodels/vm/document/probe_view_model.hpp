#pragma once

#include <QObject>
#include <QPointF>
#include <QString>

namespace pollard::vm {

class DocumentViewModel;

/// Values of the pixel under the cursor. A few table look-ups for images of any size.
class ProbeViewModel : public QObject {
    Q_OBJECT

public:
    /// @param document must outlive this
    explicit ProbeViewModel(DocumentViewModel& document, QObject* parent = nullptr);

    /// The cursor is over a pixel of an open image; otherwise, and where unknown, all values are -1.
    [[nodiscard]] bool isValid() const noexcept { return x_ >= 0; }
    [[nodiscard]] int x() const noexcept { return x_; }              ///< px from the left
    [[nodiscard]] int y() const noexcept { return y_; }              ///< px from the top
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
    void clear();

signals:
    void changed();

private:
    void refresh();

    DocumentViewModel& document_;
    QPointF position_;
    bool hasPosition_ = false;
    int x_ = -1;
    int y_ = -1;
    bool hasData_ = true;
    int original_ = -1;
    int filtered_ = -1;
    qint64 node_ = -1;
    int level_ = -1;
    qint64 area_ = -1;
};

} // namespace pollard::vm
