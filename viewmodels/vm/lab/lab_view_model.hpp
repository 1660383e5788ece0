#pragma once

#include "trace/lab_picture.hpp"

#include <QObject>
#include <QPoint>
#include <QString>

#include <cstdint>
#include <vector>

namespace pollard {
class Image;
}

namespace pollard::vm {

/// The picture of the grid lab: what is painted, where the pointer and the keyboard are. All views show the same pixel.
class LabViewModel : public QObject {
    Q_OBJECT

public:
    static constexpr int kLargestLevel = 65535;

    explicit LabViewModel(QObject* parent = nullptr);

    [[nodiscard]] const teach::LabPicture& picture() const noexcept { return picture_; }
    [[nodiscard]] int width() const noexcept { return static_cast<int>(picture_.width); }
    [[nodiscard]] int height() const noexcept { return static_cast<int>(picture_.height); }
    [[nodiscard]] int levelAt(int pixel) const { return picture_.levels.at(static_cast<std::size_t>(pixel)); }
    /// The level that the mouse paints with.
    [[nodiscard]] int brush() const noexcept { return brush_; }

    /// The pixel that keys change; always there.
    [[nodiscard]] int cursor() const noexcept { return cursor_; }
    /// The pixel under the pointer; -1 without one.
    [[nodiscard]] int hovered() const noexcept { return hovered_; }
    /// The pixel that all views light up: the pointer's, else the keyboard's.
    [[nodiscard]] int focus() const noexcept { return hovered_ >= 0 ? hovered_ : cursor_; }
    [[nodiscard]] bool canUndo() const noexcept { return !before_.empty(); }

public slots:
    /// 1 to teach::kLabSide; what is there stays, what is new has the level of the nearest pixel.
    void setWidth(int width) { setSize(width, height()); }
    void setHeight(int height) { setSize(width(), height); }
    void setSize(int width, int height);
    /// Another picture. @param picture of an allowed size
    void setPicture(const pollard::teach::LabPicture& picture);
    /// An example by its place in labExamples().
    void loadExample(int number);
    /// The part of a picture around a pixel, as large as the lab's picture may be.
    void takeCrop(const pollard::Image& image, const QPoint& centre);

    void setBrush(int level);
    void setLevel(int pixel, int level);
    /// Paints with the brush; everything until endStroke() is undone at once.
    void paint(int pixel);
    void endStroke() { stroke_ = false; }
    void undo();

    void setCursor(int pixel);
    void moveCursor(int across, int down);
    void setHovered(int pixel);
    /// A digit at the cursor: the next ones are appended as long as the cursor stays.
    void typeDigit(int digit);
    /// Changes the level at the cursor.
    void raise(int by);

signals:
    void pictureChanged();
    void brushChanged();
    void focusChanged(); ///< hovered or cursor

private:
    void change(teach::LabPicture picture);
    void clampFocus();

    teach::LabPicture picture_;
    std::vector<teach::LabPicture> before_; ///< to undo
    int brush_ = 9;
    int cursor_ = 0;
    int hovered_ = -1;
    bool stroke_ = false;
    bool typing_ = false;
};

} // namespace pollard::vm
