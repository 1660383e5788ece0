#pragma once

#include "vm/base/change.hpp"

#include "player/player.hpp"
#include "trace/trace.hpp"

#include <QByteArray>
#include <QObject>
#include <QPoint>
#include <QString>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

namespace pollard {
class Image;
} // namespace pollard

namespace pollard::vm {

/// An instructive image.
struct LabExample {
    std::string_view id; ///< permanent: prepared scenes refer to it
    const char* name;    ///< for exampleTitle()
    teach::LabImage image;
};

/// All examples, the simplest first.
[[nodiscard]] std::span<const LabExample> labExamples();
/// Null if there is none with this id.
[[nodiscard]] const LabExample* findLabExample(std::string_view id);
/// The name of an example in the language of the window.
[[nodiscard]] QString exampleTitle(const LabExample& example);

/// A prepared state of the grid lab.
struct PreparedScene {
    QString title;
    teach::LabImage image;
    int player = 0; ///< index in teach::players()
    teach::PlayerSpec spec;
    int step = 0; ///< first step
    bool guessing = false;
    int beside = -1; ///< index of the algorithm beside the player; -1: none
};

/// Largest file of scenes, bytes, and most scenes in it.
inline constexpr qsizetype kLargestSceneFile = 4 << 20;
inline constexpr qsizetype kMostScenes = 500;

/// Reads the format of docs/teach.md. Known titles are translated.
/// @throws Error(invalidArgument) naming the scene and the problem
[[nodiscard]] std::vector<PreparedScene> readScenes(const QByteArray& json);

/// A scene in that format; readScenes() of a list with it gives the same scene, except that turns by hand become turns
/// in order.
[[nodiscard]] QByteArray sceneText(const PreparedScene& scene);

/// Reads a file of scenes. @throws Error like readScenes(), and if the file cannot be read
[[nodiscard]] std::vector<PreparedScene> loadScenes(const QString& path);

/// The image of the grid lab with the positions of the pointer and the keyboard cursor. All views show the same
/// pixel.
class LabViewModel : public QObject {
    Q_OBJECT

public:
    static constexpr int kLargestLevel = 65535;

    explicit LabViewModel(QObject* parent = nullptr);

    [[nodiscard]] const teach::LabImage& image() const noexcept { return image_; }
    [[nodiscard]] int width() const noexcept { return static_cast<int>(image_.width); }
    [[nodiscard]] int height() const noexcept { return static_cast<int>(image_.height); }
    [[nodiscard]] int levelAt(int pixel) const { return image_.levels.at(static_cast<std::size_t>(pixel)); }
    /// Level for painting with the mouse.
    [[nodiscard]] int brush() const noexcept { return brush_; }

    /// The pixel changed by keys; always exists.
    [[nodiscard]] int cursor() const noexcept { return cursor_; }
    /// The pixel under the pointer; -1 if there is none.
    [[nodiscard]] int hovered() const noexcept { return hovered_; }
    /// The pixel highlighted in all views: the pointer's, else the keyboard's.
    [[nodiscard]] int focus() const noexcept { return hovered_ >= 0 ? hovered_ : cursor_; }
    [[nodiscard]] bool canUndo() const noexcept { return !before_.empty(); }

public slots:
    /// 1 to teach::kLabSide; existing pixels stay, new ones get the level of the nearest pixel.
    void setWidth(int width) { setSize(width, height()); }
    void setHeight(int height) { setSize(width(), height); }
    void setSize(int width, int height);
    /// Replaces the image. @param image of an allowed size
    void setImage(const pollard::teach::LabImage& image);
    /// Loads an example by its index in labExamples().
    void loadExample(int number);
    /// The part of an image around a pixel, of the largest size of the lab.
    void takeCrop(const pollard::Image& image, const QPoint& centre);

    void setBrush(int level) {
        vm::change(this, brush_, std::clamp(level, 0, kLargestLevel), &LabViewModel::brushChanged);
    }
    void setLevel(int pixel, int level);
    /// Paints with the brush; strokes up to endStroke() are undone at once.
    void paint(int pixel);
    void endStroke() { stroke_ = false; }
    void undo();

    void setCursor(int pixel);
    void moveCursor(int across, int down);
    void setHovered(int pixel);
    /// Types a digit at the cursor: further digits are appended while the cursor stays.
    void typeDigit(int digit);
    /// Changes the level at the cursor.
    void raise(int by);

signals:
    void imageChanged();
    void brushChanged();
    void focusChanged(); ///< hovered or cursor

private:
    void change(teach::LabImage image);
    void clampFocus();

    teach::LabImage image_;
    std::vector<teach::LabImage> before_; ///< for undo
    int brush_ = 9;
    int cursor_ = 0;
    int hovered_ = -1;
    bool stroke_ = false;
    bool typing_ = false;
};

} // namespace pollard::vm
