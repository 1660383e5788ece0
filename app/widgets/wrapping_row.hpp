#pragma once

#include <QLayout>
#include <QList>

#include <memory>
#include <vector>

namespace pollard::app {

/// Places its items side by side, and on further lines if the width is not sufficient. Items whose size policy expands
/// share the rest of their line equally; a stretch moves the items after it to the right.
class WrappingRow : public QLayout {
    Q_OBJECT

public:
    /// @param spacing px between items and between lines
    explicit WrappingRow(int spacing);
    ~WrappingRow() override;

    void addStretch();

    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override;
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    using Line = std::vector<QLayoutItem*>;
    [[nodiscard]] std::vector<Line> linesFor(int width) const;
    [[nodiscard]] int widthOf(const Line& line) const;

    std::vector<std::unique_ptr<QLayoutItem>> items_;
    int width_ = 0; ///< px, available; geometry() is empty while a layout is due
};

} // namespace pollard::app
