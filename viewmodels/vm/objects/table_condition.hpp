#pragma once

#include "components/objects/object_condition.hpp"
#include "components/objects/object_features.hpp"
#include "image/length_unit.hpp"
#include "io/image_file.hpp"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;

/// The unit of lengths in a table of objects.
class TableUnit {
public:
    /// @param document must outlive this
    explicit TableUnit(const DocumentViewModel& document) : document_(document) {}

    [[nodiscard]] LengthUnit unit() const noexcept { return unit_; }
    [[nodiscard]] bool isPhysical() const noexcept { return unit_ != LengthUnit::pixel; }
    /// Of a pixel; empty: unknown.
    [[nodiscard]] std::optional<PixelSize> size() const;
    /// Why the image has no physical unit; empty if it has.
    [[nodiscard]] QString whyNone() const;
    /// Units with readable numbers for this image, px first.
    [[nodiscard]] std::vector<LengthUnit> offered() const;
    /// Side of a pixel, in the unit.
    [[nodiscard]] double side() const;
    /// The unit with the sides of a voxel; those of a pixel are all side().
    [[nodiscard]] ObjectUnit scale() const;

    /// Whether the default of images is a physical unit; forgets the chosen one. @returns whether anything changes
    bool prefer(bool physical);
    /// Chooses one of offered(), also for later images. @returns whether anything changes
    bool choose(LengthUnit unit);
    /// The unit that this image should have.
    [[nodiscard]] LengthUnit wanted() const;
    void adopt() { unit_ = wanted(); }

private:
    /// For the choice of units; empty: px only.
    [[nodiscard]] std::optional<PixelSize> squareSize() const;

    const DocumentViewModel& document_;
    LengthUnit unit_ = LengthUnit::pixel;
    std::optional<LengthUnit> chosen_;
    bool physical_ = true;
};

/// The condition on the rows of a table of objects: as typed, and as in force.
class TableCondition {
public:
    /// The condition in force, for a recipe: numbers have their units, or all numbers without a unit are in
    /// `unit`.
    struct Stated {
        QString text;
        LengthUnit unit = LengthUnit::pixel;
    };

    /// All must outlive this. @param columns of places and channels that it may name
    TableCondition(const TableUnit& unit, const std::vector<std::string>& columns) : unit_(unit), columns_(columns) {}

    [[nodiscard]] const QString& text() const noexcept { return text_; }
    [[nodiscard]] const QString& problem() const noexcept { return problem_; }
    [[nodiscard]] const QString& notice() const noexcept { return notice_; }
    /// There is a condition in force, which may not apply to the image.
    [[nodiscard]] bool isSet() const { return !valid_.isEmpty(); }
    /// In px; in volumes in the unit.
    [[nodiscard]] const ObjectCondition& condition() const noexcept { return condition_; }
    /// Of a pixel, in the unit of the condition's numbers.
    [[nodiscard]] double side() const noexcept { return side_; }
    [[nodiscard]] Stated stated() const;
    /// The condition in force with a unit for every length and area; empty if they are ambiguous in a physical unit.
    /// In volumes as it is.
    [[nodiscard]] QString withUnits() const;

    /// @returns whether it is valid and now in force
    bool set(const QString& text);
    /// Adapts the condition in force to image, unit and columns.
    void refresh();
    /// Adds the present unit to its numbers, before the unit changes.
    void keepMeaning();

private:
    [[nodiscard]] bool isTextInForce() const;
    void resolve();

    const TableUnit& unit_;
    const std::vector<std::string>& columns_;
    QString text_;
    QString valid_; ///< the last valid condition
    QString problem_;
    QString notice_;
    ObjectCondition condition_;
    double side_ = 1;
};

} // namespace pollard::vm
