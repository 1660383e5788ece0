#pragma once

#include "components/objects/object_features.hpp"
#include "image/length_unit.hpp"
#include "io/image_file.hpp"

#include <QCoreApplication>
#include <QString>

#include <optional>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;

/// The unit of lengths in a table of objects.
class TableUnit {
    Q_DECLARE_TR_FUNCTIONS(pollard::vm::TableUnit)

public:
    /// @param document must outlive this
    explicit TableUnit(const DocumentViewModel& document) : document_(document) {}

    [[nodiscard]] LengthUnit unit() const noexcept { return unit_; }
    [[nodiscard]] bool isPhysical() const noexcept { return unit_ != LengthUnit::pixel; }
    /// Size of a pixel; empty: unknown.
    [[nodiscard]] std::optional<PixelSize> size() const;
    /// Why the image has no physical unit; empty if it has.
    [[nodiscard]] QString whyNone() const;
    /// Units with readable numbers for this image, px first.
    [[nodiscard]] std::vector<LengthUnit> offered() const;
    /// Side of a pixel, in the unit.
    [[nodiscard]] double side() const;
    /// The unit with the sides of a voxel; for images all sides are side().
    [[nodiscard]] ObjectUnit scale() const;

    /// Whether the default of images is a physical unit; forgets the chosen one. @returns whether anything changes
    bool prefer(bool physical);
    /// Chooses one of offered(), also for later images. @returns whether anything changes
    bool choose(LengthUnit unit);
    /// The unit that this image should have.
    [[nodiscard]] LengthUnit wanted() const;
    void adopt() { unit_ = wanted(); }

private:
    /// Size of a pixel for the choice of units; empty: px only.
    [[nodiscard]] std::optional<PixelSize> squareSize() const;

    const DocumentViewModel& document_;
    LengthUnit unit_ = LengthUnit::pixel;
    std::optional<LengthUnit> chosen_;
    bool physical_ = true;
};

} // namespace pollard::vm
