#pragma once

#include "vm/base/async_result.hpp"
#include "vm/base/change.hpp"
#include "vm/image/open_request.hpp"

#include "channels/stains.hpp"
#include "image/image.hpp"

#include <QColor>
#include <QObject>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <array>
#include <cstddef>
#include <optional>

namespace pollard::vm {

class DocumentViewModel;

/// Stain vectors from parts of the open image: rectangles where one stain is pure, and one without stains. The image
/// stays as it is until separate() shows the amount of the first stain. Parts are dropped with the image, but stay for
/// its other channels.
class StainPicks : public QObject {
    Q_OBJECT

public:
    enum class Part { first, second, background };
    static constexpr std::array kParts{Part::first, Part::second, Part::background};
    static constexpr double kClickSide = 5; ///< of the part around a click, px

    /// @param document must outlive this
    explicit StainPicks(DocumentViewModel& document, QObject* parent = nullptr);

    [[nodiscard]] bool isAvailable() const; ///< an image with red, green and blue light is open
    [[nodiscard]] bool isPicking() const noexcept { return picking_; }
    [[nodiscard]] Part part() const noexcept { return part_; } ///< the next rectangle becomes it
    [[nodiscard]] QString name(Part part) const { return picked(part).name; }
    /// The rectangle of a part in px of the image; nothing if it is not picked.
    [[nodiscard]] std::optional<QRectF> area(Part part) const;
    [[nodiscard]] std::optional<QRectF> draft() const noexcept { return draft_; } ///< being drawn
    /// Mean colour of a part; invalid until it is read.
    [[nodiscard]] QColor colour(Part part) const;
    /// The vector of a stain; empty until the part is read, and if it has none.
    [[nodiscard]] std::optional<StainVector> vector(Part part) const;
    /// The reason why a part has no vector, or could not be read; empty if there is none.
    [[nodiscard]] QString problem() const;
    [[nodiscard]] bool canSeparate() const; ///< there are two different vectors
    [[nodiscard]] bool isBusy() const noexcept { return densities_.isBusy(); }

public slots:
    void setPicking(bool picking);
    void setPart(pollard::vm::StainPicks::Part part) { change(this, part_, part, &StainPicks::changed); }
    /// Characters that a name of a stain cannot have are removed.
    void setName(pollard::vm::StainPicks::Part part, const QString& name);
    void beginArea(const QPointF& image);
    void moveArea(const QPointF& image);
    /// The rectangle, or a square around the place of a click, becomes the part; the next one that is missing follows.
    void finishArea();
    void forgetArea();
    /// Shows the amount of the first stain and ends picking; the parts stay.
    void separate();

signals:
    void changed();
    void pickingChanged();
    void areasChanged(); ///< area(), draft()

private:
    struct Picked {
        QString name;
        std::optional<PixelRegion> area; ///< px of the image
        std::optional<StainVector> density;
    };
    /// Parts that were read.
    struct Densities {
        std::array<std::optional<PixelRegion>, kParts.size()> areas;
        std::array<std::optional<StainVector>, kParts.size()> densities;
        QString problem;
    };

    [[nodiscard]] const Picked& picked(Part part) const { return picked_[static_cast<std::size_t>(part)]; }
    [[nodiscard]] Picked& picked(Part part) { return picked_[static_cast<std::size_t>(part)]; }
    void onImage();
    void read();
    void onRead();

    DocumentViewModel& document_;
    OpenRequest image_; ///< that the parts belong to
    bool picking_ = false;
    Part part_ = Part::first;
    std::array<Picked, kParts.size()> picked_;
    QPointF corner_;
    std::optional<QRectF> draft_;
    AsyncResult<Densities> densities_;
};

} // namespace pollard::vm
