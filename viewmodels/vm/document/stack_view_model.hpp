#pragma once

#include "io/image_file.hpp"

#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;

/// The pages of the open file as positions along its axes: channels, depth, time, or just pages. The first axis is the
/// one that changes from page to page.
class StackViewModel : public QObject {
    Q_OBJECT

public:
    /// @param document must outlive this
    explicit StackViewModel(DocumentViewModel& document, QObject* parent = nullptr);

    /// 0 without a document or with a single page.
    [[nodiscard]] int axisCount() const noexcept { return static_cast<int>(axes_.size()); }
    [[nodiscard]] QString axisTitle(int axis) const; ///< "Channel", "Z", "Time", "Page"
    [[nodiscard]] int size(int axis) const;
    /// 0-based, of the page that is wanted; of the file that is shown as long as another one is on its way. It cannot
    /// be set until then.
    [[nodiscard]] int position(int axis) const;
    /// What the file calls the position, e.g. the name of a channel; empty if it does not.
    [[nodiscard]] QString label(int axis) const;
    /// The axis along which pages are shown one after the other; -1 if they are not.
    [[nodiscard]] int playing() const noexcept { return playing_; }

    static constexpr int kPlayInterval = 100; ///< ms between pages at least; the next waits until one is shown

public slots:
    /// Clamped to the axis.
    void setPosition(int axis, int position);
    /// Moves along an axis, not beyond its ends; nothing for an axis that is not there.
    void step(int axis, int by);
    void showFirst(); ///< page of the file
    void showLast();
    /// Runs through an axis again and again; -1 stops.
    void play(int axis);

signals:
    void axesChanged();
    void positionChanged();
    void playingChanged();

private:
    void refresh();
    void showNext();
    [[nodiscard]] int stride(int axis) const;
    [[nodiscard]] bool has(int axis) const { return axis >= 0 && axis < axisCount(); }

    DocumentViewModel& document_;
    std::weak_ptr<const Image> image_; ///< that the axes are of
    std::vector<StackAxis> axes_;      ///< of more than one position
    int playing_ = -1;
    QTimer timer_;
};

} // namespace pollard::vm
