#pragma once

#include "vm/filter/criterion_entry.hpp"

#include "attributes/attribute.hpp"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace pollard::vm {

class CriteriaModel;
class DocumentViewModel;

/// Attribute and bounds of the current criterion of a list as displayed: clamped to the domain of the attribute, in px
/// and levels, on a slider, and in the unit of the bounds or in values of the image.
class CriterionBounds : public QObject {
    Q_OBJECT

public:
    /// Both must outlive this.
    CriterionBounds(CriteriaModel& criteria, const DocumentViewModel& document);

    [[nodiscard]] AttributeId attribute() const noexcept { return shown_.attribute; }
    [[nodiscard]] const ValueDomain& domain() const noexcept { return shown_.domain.values; }
    [[nodiscard]] bool isAvailable() const noexcept { return shown_.domain.known; } ///< the domain is known from a tree
    [[nodiscard]] double minimum() const noexcept { return shown_.minimum; }
    [[nodiscard]] double maximum() const noexcept { return shown_.maximum; }
    /// See FilterViewModel for these and the setters.
    [[nodiscard]] QString unit() const;
    [[nodiscard]] LengthUnit boundUnit() const { return bounds().unit; }
    [[nodiscard]] std::vector<LengthUnit> boundUnits() const;
    [[nodiscard]] QString unitName(LengthUnit unit) const;
    /// Whether bounds are typed in values of the image, which need not be the numbers of the column.
    [[nodiscard]] bool isInValues() const;
    [[nodiscard]] double typedMinimum() const;
    [[nodiscard]] double typedMaximum() const;
    [[nodiscard]] ValueDomain typedDomain() const;

    void setMinimum(double value);
    void setMaximum(double value);
    void setMinimumPosition(double position);
    void setMaximumPosition(double position);
    void setTypedMinimum(double value);
    void setTypedMaximum(double value);
    void setBoundUnit(LengthUnit unit);
    void setRange(double minimum, double maximum);
    void reset();
    /// Follows another image or pixel size; other criteria are followed without it.
    void update();

signals:
    void attributeChanged();
    void unitChanged(); ///< boundUnit() or boundUnits()
    void domainChanged();
    void rangeChanged();

private:
    struct Shown {
        AttributeId attribute = AttributeId::area;
        AttributeDomain domain;
        double minimum = 0;
        double maximum = 0;
        ChosenBounds bounds;
        ImageUnits units;
    };
    [[nodiscard]] Shown present() const;
    [[nodiscard]] ChosenBounds bounds() const;
    [[nodiscard]] ChosenBounds boundsInPixels() const;
    /// The bounds in their unit; bounds of grey levels as values without a stated unit.
    [[nodiscard]] ChosenBounds inPresentScale() const;
    [[nodiscard]] Dimension dimension() const;
    /// Size of a pixel as counted by the attribute.
    [[nodiscard]] std::optional<PixelSize> size() const;
    [[nodiscard]] bool isResolvable() const;
    [[nodiscard]] bool areOfColumn() const;
    [[nodiscard]] double inBoundUnit(double ofColumn) const;
    /// A bound of the slider as the shortest number in the unit of the bounds.
    [[nodiscard]] double stated(double ofColumn) const;
    [[nodiscard]] double typed(std::optional<double> chosen, std::optional<double> pixels, double shown) const;
    /// Takes bounds in px; unchanged ones stay as typed.
    void choose(const ChosenBounds& pixels);

    CriteriaModel& criteria_;
    const DocumentViewModel& document_;
    Shown shown_;
};

} // namespace pollard::vm
