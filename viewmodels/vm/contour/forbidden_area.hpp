#pragma once

#include "vm/base/latest_wins_worker.hpp"

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

/// Pixels that no contour may hold: painted with a round brush, read from an image, or taken from selected components.
/// It stays for the other pages of a stack and goes with a picture of another size or file.
class ForbiddenArea : public QObject {
    Q_OBJECT

public:
    static constexpr int kLargestBrush = 500; ///< px

    /// @param document must outlive this
    explicit ForbiddenArea(DocumentViewModel& document, QObject* parent = nullptr);

    /// Null if no pixel is forbidden. It does not change while a stroke is painted.
    [[nodiscard]] std::shared_ptr<const Mask> mask() const noexcept { return mask_; }
    /// What is to be seen, the stroke at hand included; null if there is nothing.
    [[nodiscard]] const Mask* shown() const noexcept { return stroke_ ? &*stroke_ : mask_.get(); }

    /// The mouse paints on the picture.
    [[nodiscard]] bool isPainting() const noexcept { return painting_; }
    [[nodiscard]] bool isErasing() const noexcept { return erasing_; }
    [[nodiscard]] int brush() const noexcept { return brush_; } ///< its diameter, px
    [[nodiscard]] bool isStroking() const noexcept { return stroke_.has_value(); }
    /// A mask is being made.
    [[nodiscard]] bool isBusy() const { return worker_.isBusy(Lane::load); }

public slots:
    void setPainting(bool painting);
    void setErasing(bool erasing);
    void setBrush(int diameter);

    /// Paints, or clears if @p erase, all pixels whose centres are no further from the way of the pointer than half the
    /// brush. The pointer is at the centre of its pixel.
    void beginStroke(const QPointF& image, bool erase);
    void strokeTo(const QPointF& image);
    void endStroke();
    void cancelStroke();

    void clear();
    /// This one from now on; null for none. @param mask of the picture's size
    void set(const std::shared_ptr<const pollard::Mask>& mask);
    /// The pixels of an image that are not 0; the part of it that is read is that of the picture. Follows with
    /// changed(), or failed().
    void load(const QString& path, const pollard::ReadLimits& limits);
    /// The pixels of components. Follows with changed().
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
    QString path_;            ///< of the picture that the mask belongs to
    LatestWinsWorker worker_; ///< last: its thread ends before the rest goes
};

/// Sets the pixels whose centres are within @p radius of the line between two places.
void paintStroke(Mask& mask, const QPointF& from, const QPointF& to, double radius, bool value);

} // namespace pollard::vm
