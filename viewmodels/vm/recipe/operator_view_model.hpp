#pragma once

#include "vm/base/change.hpp"
#include "vm/document/table_unit.hpp"
#include "vm/recipe/window_recipe.hpp"

#include "operators/operator_spec.hpp"
#include "tree/component_tree.hpp"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace pollard::vm {

/// "White top-hat"
[[nodiscard]] QString operatorTitle(OperatorKind kind);
/// The operator with its parameters, "Opening: disc, radius 5 px".
[[nodiscard]] QString operatorText(const OperatorSpec& spec);

/// An operator to apply to the displayed result, as a step before the current filter.
class OperatorViewModel : public QObject {
    Q_OBJECT

public:
    explicit OperatorViewModel(const FilterModels& models, QObject* parent = nullptr);

    [[nodiscard]] OperatorKind kind() const noexcept { return spec_.kind; }
    void setKind(OperatorKind kind) { set(spec_.kind, kind); }
    [[nodiscard]] OperatorShape shape() const noexcept { return spec_.shape; }
    void setShape(OperatorShape shape) { set(spec_.shape, shape); }
    /// In unit(), like sigma().
    [[nodiscard]] double radius() const noexcept { return spec_.radius; }
    void setRadius(double radius) { set(spec_.radius, radius); }
    [[nodiscard]] double sigma() const noexcept { return spec_.sigma; }
    void setSigma(double sigma) { set(spec_.sigma, sigma); }
    /// A difference of values, in heightUnit().
    [[nodiscard]] double height() const noexcept { return spec_.height; }
    void setHeight(double height) { set(spec_.height, height); }
    /// Unit of the values; empty without one.
    [[nodiscard]] QString heightUnit() const;
    /// Path of an image.
    [[nodiscard]] QString marker() const { return QString::fromStdString(spec_.marker); }
    void setMarker(const QString& path) { set(spec_.marker, path.toStdString()); }
    /// Channel of the marker, a number or a name; empty: luminance.
    [[nodiscard]] QString markerChannel() const { return markerChannel_; }
    void setMarkerChannel(const QString& channel);
    /// Whether the values of the marker count, not only which of its pixels are 0.
    [[nodiscard]] bool hasGreyMarker() const noexcept { return spec_.greyMarker; }
    void setGreyMarker(bool isGrey) { set(spec_.greyMarker, isGrey); }
    /// Of the tree in the window until it is set, then in images and volumes the corresponding one.
    [[nodiscard]] Connectivity connectivity() const;
    void setConnectivity(Connectivity connectivity) { set(connectivity_, std::optional(connectivity)); }
    [[nodiscard]] LengthUnit unit() const noexcept { return unit_.unit(); }
    /// @param unit one of units()
    void setUnit(LengthUnit unit);
    /// Units of lengths in this image, px first.
    [[nodiscard]] std::vector<LengthUnit> units() const { return unit_.offered(); }

    /// The operator without the parameters that it does not take.
    [[nodiscard]] OperatorSpec spec() const;
    /// Why the operator cannot be applied, a sentence; empty if it can.
    [[nodiscard]] QString problem() const;

public slots:
    /// Applies the operator to the result of the current filter, which is followed by one without criteria; to the
    /// image before the current filter if that changes nothing. One entry of the history.
    void apply();

signals:
    void changed(); ///< any of the above

private:
    template <class T, class Value> void set(T& member, const Value& value) {
        change(this, member, value, &OperatorViewModel::changed);
    }
    void onDocument();
    [[nodiscard]] FilterStages stages() const;

    FilterModels models_;
    OperatorSpec spec_; ///< without unit and neighbours
    QString markerChannel_;
    QString channelProblem_; ///< why markerChannel_ names no channel; else empty
    std::optional<Connectivity> connectivity_;
    TableUnit unit_;
};

} // namespace pollard::vm
