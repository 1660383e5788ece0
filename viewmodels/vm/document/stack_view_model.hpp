#pragma once

#include "io/image_file.hpp"

#include <QObject>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;

/// The pages of the open file as positions along its axes: channels, depth, time, or just pages. The first axis varies
/// fastest. The slices of a volume are positions, too.
class StackViewModel : public QObject {
    Q_OBJECT

public:
    /// @param document must outlive this
    explicit StackViewModel(DocumentViewModel& document, QObject* parent = nullptr);

    /// 0 without a document or with a single page.
    [[nodiscard]] int axisCount() const noexcept { return static_cast<int>(axes_.size()); }
    [[nodiscard]] QString axisTitle(int axis) const; ///< "Channel", "Z", "Time", "Page"
    [[nodiscard]] int size(int axis) const;
    /// 0-based, of the requested page; of the displayed file while another one is being loaded. It cannot be set until
    /// then.
    [[nodiscard]] int position(int axis) const;
    /// The file's name for the position, e.g. of a channel; empty if there is none.
    [[nodiscard]] QString label(int axis) const;
    /// How the slices are seen.
    enum class Depth : std::uint8_t { volume, slice, maximum, minimum, mean, sharpest };
    /// There are slices.
    [[nodiscard]] bool offersDepth() const;
    /// Whether the file states no axes of its pages, so that DocumentReading::setAxes() can state them.
    [[nodiscard]] bool offersAxes() const;
    [[nodiscard]] Depth depth() const;
    /// Whether a projection has all positions of the axis, so that none can be chosen.
    [[nodiscard]] bool isProjected(int axis) const;
    /// "42 pages (3 channels × 7 z × 2 times)", "42 pages"
    [[nodiscard]] QString pagesText() const;
    /// The playing axis; -1 if none.
    [[nodiscard]] int playing() const noexcept { return playing_; }

    static constexpr int kPlayInterval =
        100; ///< least ms between pages; the next one waits until the present one is displayed

public slots:
    /// Clamped to the axis.
    void setPosition(int axis, int position);
    /// Opens the slices of this file and of later files in another way.
    void setDepth(pollard::vm::StackViewModel::Depth depth);
    /// Moves to a neighbouring page of the file, or slice of the volume.
    void stepPage(int by);
    /// Moves along an axis, not beyond its ends; does nothing for an unknown axis.
    void step(int axis, int by);
    void showFirst(); ///< page of the file, or slice of the volume
    void showLast();
    /// Plays an axis in a loop; -1 stops.
    void play(int axis);

signals:
    void axesChanged();
    void positionChanged();
    void playingChanged();

private:
    void refresh();
    void showNext();
    [[nodiscard]] int stride(int axis) const;
    /// The axis of the slices of a volume; -1 for pages.
    [[nodiscard]] int sliceAxis() const;
    [[nodiscard]] bool has(int axis) const { return axis >= 0 && axis < axisCount(); }

    DocumentViewModel& document_;
    std::weak_ptr<const Image> image_; ///< source of the axes
    std::vector<StackAxis> axes_;      ///< with more than one position
    int playing_ = -1;
    QTimer timer_;
};

} // namespace pollard::vm
