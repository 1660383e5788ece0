#pragma once

#include "vm/base/latest_wins_worker.hpp"
#include "vm/picture/picture_place.hpp"

#include "image/mask.hpp"
#include "io/image_file.hpp"
#include "tree/component_tree.hpp"
#include "tree/node_set.hpp"

#include <QObject>
#include <QPointF>
#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace pollard::vm {

class DocumentViewModel;

/// Pixels that no contour may contain: painted with a round brush, read from an image, or taken from selected
/// components. The area stays for other pages of a stack and is dropped with another file, part or size of the picture.
class ForbiddenArea : public QObject {
    Q_OBJECT

public:
    static constexpr int kLargestBrush = 500; ///< px

    /// @param document must outlive this
    explicit ForbiddenArea(DocumentViewModel& document, QObject* parent = nullptr);

    /// Null if no pixel is forbidden. Constant while a stroke is painted.
    [[nodiscard]] std::shared_ptr<const Mask> mask() const noexcept { return mask_; }
    /// The displayed mask including the present stroke; null if there is none.
    [[nodiscard]] const Mask* shown() const noexcept { return stroke_ ? &*stroke_ : mask_.get(); }

    /// The mouse paints on the picture.
    [[nodiscard]] bool isPainting() const noexcept { return painting_; }
    [[nodiscard]] bool isErasing() const noexcept { return erasing_; }
    [[nodiscard]] int brush() const noexcept { return brush_; } ///< diameter, px
    [[nodiscard]] bool isStroking() const noexcept { return stroke_.has_value(); }
    /// A mask is being made.
    [[nodiscard]] bool isBusy() const { return worker_.isBusy(Lane::load); }

public slots:
    void setPainting(bool painting);
    void setErasing(bool erasing);
    void setBrush(int diameter);

    /// Paints, or with @p erase clears, all pixels with centres within half the brush of the pointer's path. The
    /// pointer is at the centre of its pixel.
    void beginStroke(const QPointF& image, bool erase);
    void strokeTo(const QPointF& image);
    void endStroke();
    void cancelStroke();

    void clear();
    /// @param mask of the picture's size; null for none
    void set(const std::shared_ptr<const pollard::Mask>& mask);
    /// The pixels of an image that are not 0; the same part of it is read as of the picture. Ends with changed() or
    /// failed().
    void load(const QString& path, const pollard::ReadLimits& limits);
    /// The pixels of components. Ends with changed().
    void takeNodes(const std::shared_ptr<const pollard::NodeSet>& nodes);

signals:
    void changed(); ///< mask()
    void shownChanged();
    void brushChanged();
    void failed(const QString& title, const QString& text);

private:
    void onPicture();
    void make(const std::function<Mask(const JobControl& control)>& job);

    DocumentViewModel& document_;
    std::shared_ptr<const Mask> mask_;
    std::optional<Mask> stroke_;
    bool strokeErases_ = false;
    QPointF last_; ///< of the stroke, px
    bool painting_ = false;
    bool erasing_ = false;
    int brush_ = 20;
    QString path_;            ///< of the mask's picture
    PicturePlace place_;      ///< of the mask's pixels
    LatestWinsWorker worker_; ///< last: its job ends before the other members are destroyed
};

/// Sets the pixels with centres within @p radius of the line between two points.
void paintStroke(Mask& mask, const QPointF& from, const QPointF& to, double radius, bool value);

} // namespace pollard::vm
