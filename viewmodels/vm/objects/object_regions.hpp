#pragma once

#include "analysis/relief.hpp"
#include "analysis/seeds.hpp"
#include "components/objects/object_rule.hpp"
#include "hierarchy/hierarchy.hpp"
#include "hierarchy/strength_values.hpp"
#include "image/length_unit.hpp"
#include "image/volume_plane.hpp"

#include <QObject>
#include <QPointF>
#include <QString>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pollard::vm {

class ObjectsViewModel;

/// Ways to find objects.
enum class FindBy : std::uint8_t { threshold, best, watershed, hierarchy, labels };
[[nodiscard]] FindBy wayOf(const ObjectRule& rule) noexcept;

/// The rule without the settings that its way to find objects does not have, see ObjectRule::conflict().
[[nodiscard]] ObjectRule withoutConflicts(ObjectRule rule);

/// Positions of a slider for numbers of any magnitude: position 0 is `none`, the positions from 1 on grow by a constant
/// factor from `least` to `most`, or by a constant step if `least` is not above 0.
struct LogScale {
    static constexpr int kSteps = 1000; ///< the last position

    double none = 0;
    double least = 1;
    double most = 1; ///< at least `least`

    [[nodiscard]] double at(int position) const;
    /// The position whose number is nearest; 0 for numbers below `least`.
    [[nodiscard]] int positionOf(double number) const;
};

/// How the objects of a view-model are found without a threshold, or as regions within it: best components, a
/// watershed, regions of a hierarchy, labels of a file. A way keeps its settings while another one is chosen.
class ObjectRegions : public QObject {
    Q_OBJECT

public:
    /// @param objects must outlive this
    explicit ObjectRegions(ObjectsViewModel& objects);

    [[nodiscard]] FindBy way() const;
    void setWay(FindBy way);

    [[nodiscard]] const BestRule& best() const;
    /// The expected area of an object in the square of a unit, in a volume its volume in the cube; 0: estimated.
    [[nodiscard]] double sizeIn(LengthUnit unit) const;
    void setSize(double size, LengthUnit unit);
    /// The area or volume that the displayed objects were expected to have; 0: unknown.
    [[nodiscard]] double expectedSizeIn(LengthUnit unit) const;
    void setStrictness(double strictness);

    /// Whether clicks on the image mark where objects are to be, or not to be.
    [[nodiscard]] bool isMarking() const noexcept { return marking_; }
    void setMarking(bool marking);
    /// Takes back the mark nearest to a place, px of the displayed plane, if it is within @p reach; else there is to be
    /// no object at the place if there is one, and one if there is none.
    void mark(const QPointF& place, double reach);
    void clearMarks();
    /// The pixel of a mark in the image of a plane; nothing if the mark is beside the plane.
    [[nodiscard]] std::optional<QPointF> placeOf(const BestMark& mark, const VolumePlane& plane) const;
    /// Marks for objects that no displayed object contains.
    [[nodiscard]] std::uint32_t unmetMarks() const;

    [[nodiscard]] const WatershedRule& watershed() const;
    /// Another relief or measure has seeds by numbers of another kind: all maxima are seeds then.
    void setRelief(Relief relief);
    void setSeeds(SeedMeasure by);
    void setLines(bool lines);
    /// Possible values of WatershedRule::least.
    [[nodiscard]] LogScale leastScale() const;
    [[nodiscard]] QString leastUnit() const;
    void setLeast(double least);

    [[nodiscard]] const HierarchyRule& hierarchy() const;
    /// Another strength or weight keeps the number of regions.
    void setStrength(Strength strength);
    void setWeight(EdgeWeight weight);
    /// Values of the strengths at which regions merge; empty while the hierarchy is unknown.
    [[nodiscard]] std::optional<LogScale> cutScale() const;
    [[nodiscard]] QString cutUnit() const;
    /// The strength of the strongest boundaries that are removed, as a value.
    [[nodiscard]] double cut() const;
    void setCut(double value);
    /// Number of regions at the cut; empty while the hierarchy is unknown.
    [[nodiscard]] std::optional<std::size_t> regionCount() const;

    /// Number of merges up to the cut of the rule while the displayed regions are of another cut, for a drawing that
    /// does not wait for them; empty if sizes decide which regions are objects.
    [[nodiscard]] std::optional<std::uint32_t> mergesAhead() const;

    /// Which merges have boundaries of which colour, among @p colours along cutScale(): element n is the number of
    /// merges below the n-th colour, which come first; those below element 0 are below the cut and have no boundary.
    /// Empty while the hierarchy is unknown.
    [[nodiscard]] std::vector<std::uint32_t> mergesBelowColours(int colours) const;

    /// Name of the label file, see labelFileOf().
    [[nodiscard]] QString labelFile() const;
    void setLabelFile(const QString& name);
    /// Takes a file for this image and, by its name, the files of other images: "{stem}_labels.tif".
    void chooseLabelFile(const QString& path);

    /// Another image has other pixels: removes the marks of the next choice, and ends marking.
    void forgetImage();

signals:
    void markingChanged();

private:
    /// The hierarchy of the displayed objects if it is of the present rule; else null.
    [[nodiscard]] const Hierarchy* shownHierarchy() const;
    [[nodiscard]] StrengthValues strengthValues() const;
    void change(const std::function<void(ObjectRule&)>& edit);
    void changeSeeds(const std::function<void(WatershedRule&)>& edit);
    void changeHierarchy(const std::function<void(HierarchyRule&)>& edit);

    ObjectsViewModel& objects_;
    BestRule lastBest_;
    WatershedRule lastWatershed_;
    HierarchyRule lastHierarchy_;
    std::string lastLabels_ = "{stem}_labels.tif";
    bool marking_ = false;
};

} // namespace pollard::vm
